import { fieldPath } from "./row-fields.ts"

/** Without accents, in small letters; the vocabulary goes through it too, so both sides lose the same. */
function plain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()
}

const vocabulary = (text: string): ReadonlySet<string> => new Set(plain(text).split(/\s+/))

/** Words in field names, by what they speak of. Names that services in other languages use are among them. */
const fieldWords = {
  rank: vocabulary(
    `rank ranking position pos place placing placement standing ordinal order no nr num # rang platz platzierung
    stelle rangplatz puesto posicion lugar clasificacion posicao colocacao posizione piazzamento classifica classement
    plass plassering placering sijoitus miejsce pozycja lokata sira siralama plaats positie 順位 ランク 排名 名次 순위 등수
    место ранг позиция`,
  ),
  /** Certain words for a score. */
  score: vocabulary(
    `score scores point points pts xp punkt punkte punktzahl puntos punto puntuacion pontos pontuacao punti punteggio
    poeng poang point pisteet pisteita punkty wynik puan skor punten 得点 点数 スコア ポイント 积分 分数 得分 점수 포인트
    очки очков баллы счет`,
  ),
  /** Words that are a score when nothing better is there. */
  amount: vocabulary(
    `total value amount sum result balance sales revenue earned earnings credits coins stars umsatz betrag summe wert
    ergebnis montant valeur resultat valor ventas importe vendas valore vendite importo belop summa wartosc suma
    toplam time duration seconds ms 合計 金額 売上 合计 金额 销售额 합계 금액 매출 сумма продажи`,
  ),
  /** Words that are a score when nothing else is a number. */
  count: vocabulary(
    "count quantity qty number anzahl cantidad nombre antal ilosc installs awards wins orders units",
  ),
  person: vocabulary(
    `member user participant player person people employee contact recipient rep customer installer agent mitglied
    teilnehmer benutzer spieler miembro usuario participante jugador membre utilisateur joueur membro utente giocatore
    lid speler medlem deltager deltagare jasen uczestnik uye katilimci メンバー 会員 ユーザー 参加者 成员 会员 用户 회원
    사용자 участник пользователь`,
  ),
  name: vocabulary(
    `name fullname displayname username nickname nick handle membername nom nombre nome navn namn naam nimi nazwa imie
    isim ad 名前 氏名 名称 姓名 名字 昵称 이름 성명 имя фио 表示名`,
  ),
  /** Words beside a name that say it is the whole one. */
  whole: vocabulary("full display complete whole voll komplett completo complet 表示"),
  first: vocabulary(
    "firstname fname givenname forename vorname prenom nombre nome fornavn fornamn voornaam etunimi imie",
  ),
  last: vocabulary(
    `lastname lname surname familyname nachname familienname nom apellido apellidos cognome sobrenome achternaam
    efternavn efternamn sukunimi nazwisko soyad`,
  ),
  id: vocabulary(
    "id ids uid uuid guid identifier ident kennung identificador identifiant 識別子 编号 아이디",
  ),
  group: vocabulary(
    `company org organisation organization team dealer dealership store branch shop business employer firm account
    site club department region location office firma unternehmen filiale entreprise societe equipe empresa tienda
    equipo azienda squadra negozio bedrijf yritys sirket 会社 企業 店舗 公司 企业 团队 회사 팀 компания команда`,
  ),
  /** The row itself, not the person in it. */
  entry: vocabulary(
    "leaderboard board ranking entry row record prize reward badge period season competition",
  ),
  /** Numbers that speak of another one. */
  change: vocabulary(
    "change delta diff difference previous prev last old movement move trend gap behind ahead min max target goal percent",
  ),
  /** Names that never are a person's, a rank or a score. */
  other: vocabulary(
    `status state tier level type kind category currency unit units colour color at date created updated joined
    timestamp year month avatar image photo picture icon url link phone locale country`,
  ),
} as const

/** What field names speak of. */
export type FieldWord = keyof typeof fieldWords

/** The words of a field's name: the last name on the way to it, and those before. */
export interface NameWords {
  readonly own: readonly string[]
  readonly before: readonly string[]
}

/** Splits a field's name into words, whether they are joined by case, underscores, hyphens or spaces. */
export function nameWords(field: string): NameWords {
  const path = fieldPath(field)
  return { own: split(path.at(-1) ?? ""), before: path.slice(0, -1).flatMap(split) }
}

function split(name: string): string[] {
  const apart = name.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ")
  return plain(apart)
    .split(/[^\p{L}\p{N}#]+/u)
    .filter((word) => word !== "")
}

/** Whether any of the words speaks of `what`. */
export function speaksOf(words: readonly string[], what: FieldWord): boolean {
  return words.some((word) => fieldWords[what].has(word))
}
