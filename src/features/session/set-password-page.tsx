export function SetPasswordPage() {
  return <h1>Set a password</h1>
}
