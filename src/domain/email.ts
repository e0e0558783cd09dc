/** A domain in ASCII whose last part begins with a letter, after a local part of which no program for mail makes a link or a second address. */
const EMAIL = /^[^\s@/:?,;<>]+@(?:[a-z\d]+(?:-+[a-z\d]+)*\.)+[a-z][a-z\d]*(?:-+[a-z\d]+)*$/;

export const isEmail = (text: string): boolean => EMAIL.test(canonicalEmail(text));

/**
 * The host as URLs write it, in ASCII: 'bücher.example' is 'xn--bcher-kva.example'. Without the dot at its end, which DNS
 * allows. Returns '' for what is no host.
 */
function asciiHost(host: string): string {
  if (/[/:?#@\\%]/.test(host)) return '';
  try {
    return new URL(`http://${host}`).hostname.replace(/\.$/, '');
  } catch {
    return '';
  }
}

/** Signs that are not shown: format characters, others such as U+034F, U+3164 and the variation selectors, and the empty Braille cell. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * The one form in which an email is stored, compared and counted, so that nobody has a second account or limit by an email
 * that only looks or travels differently: trimmed, lower case, composed (NFC), without invisible signs, its domain in ASCII. Nothing follows the at sign where that is no domain.
 */
export function canonicalEmail(text: string): string {
  const email = text.replaceAll(INVISIBLE, '').trim().toLowerCase().normalize('NFC');
  const domain = email.lastIndexOf('@') + 1;
  return domain === 0 ? email : email.slice(0, domain) + asciiHost(email.slice(domain));
}

/**
 * The mailbox that an email most likely leads to: many providers ignore what follows a plus sign, and some ignore dots.
 * @param email in its canonical form
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = ''] = email.slice(0, Math.max(at, 0)).split('+');
  return local.replaceAll('.', '') + email.slice(Math.max(at, 0));
}
