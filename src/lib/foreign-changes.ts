/**
 * Translators and other extensions change the page's DOM: a text node is replaced by `<font>` with the translation. React
 * keeps the text node and later removes or updates it, or puts something before it, and a `NotFoundError` costs the whole
 * page. From now on such a node's replacement is removed in its place, and gives way to the node when React changes its
 * text, so that no old figure stays on the screen.
 */
export function guardAgainstForeignChanges(root: Node): void {
  const { insertBefore, removeChild } = nodeMethods()
  const replacements = new WeakMap<Node, Element>()

  /** The child of `parent` that is or holds `node`, or replaced it. */
  const childFor = (parent: Node, node: Node): Node | undefined => {
    const replacement = replacements.get(node)
    let child: Node | null = node.parentNode === null && replacement !== undefined ? replacement : node
    while (child !== null && child.parentNode !== parent) child = child.parentNode
    return child ?? undefined
  }

  const texts = new MutationObserver((records) => {
    for (const { target } of records) replacements.get(target)?.replaceWith(target)
  })
  const changes = new MutationObserver((records) => {
    const fonts = records.flatMap(({ addedNodes }) => [...addedNodes].filter(isFont))
    if (fonts.length === 0) return
    for (const { removedNodes, previousSibling, nextSibling, addedNodes } of records) {
      const [removed] = removedNodes
      if (removed?.nodeType !== Node.TEXT_NODE || removed.parentNode !== null) continue
      const font = [...addedNodes, previousSibling, nextSibling].find((node) => node !== null && isFont(node))
      if (!(font instanceof Element)) continue
      replacements.set(removed, font)
      texts.observe(removed, { characterData: true })
    }
  })
  changes.observe(root, { childList: true, subtree: true })

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const target = child.parentNode === this ? child : childFor(this, child)
    if (target !== undefined) removeChild.call(this, target)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    const target = before === null || before.parentNode === this ? before : (childFor(this, before) ?? null)
    insertBefore.call(this, node, target)
    return node
  }
}

const isFont = (node: Node) => node.nodeName === "FONT"

function nodeMethods() {
  // oxlint-disable-next-line typescript/unbound-method -- called with their node
  const { insertBefore, removeChild } = Node.prototype
  return { insertBefore, removeChild }
}
