/**
 * The last part of the domain must begin with a letter. The local part excludes characters from which mail programs make
 * links or a second address.
 */
const EMAIL = /^[^\s@/:?,;<>]+@(?:[a-z\d]+(?:-+[a-z\d]+)*\.)+[a-z][a-z\d]*(?:-+[a-z\d]+)*$/;

export const isEmail = (text: string): boolean => EMAIL.test(canonicalEmail(text));

/** Returns the host in ASCII, without a final dot: 'bücher.example' is 'xn--bcher-kva.example'. Returns '' if invalid. */
function asciiHost(host: string): string {
  if (/[/:?#@\\%]/.test(host)) return '';
  try {
    return new URL(`http://${host}`).hostname.replace(/\.$/, '');
  } catch {
    return '';
  }
}

/** Format characters, other default-ignorable ones such as U+034F and U+3164, and the empty Braille cell. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Returns the form in which emails are stored, compared and counted, so that variants of one email share an account and
 * a limit: trimmed, lower case, NFC, without invisible characters, domain in ASCII. An invalid domain becomes ''.
 */
export function canonicalEmail(text: string): string {
  const email = text.replaceAll(INVISIBLE, '').trim().toLowerCase().normalize('NFC');
  const domain = email.lastIndexOf('@') + 1;
  return domain === 0 ? email : email.slice(0, domain) + asciiHost(email.slice(domain));
}

/**
 * Returns the mailbox that most likely receives the email: many providers ignore '+tag', and some ignore dots.
 * @param email in its canonical form
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = ''] = email.slice(0, Math.max(at, 0)).split('+');
  return local.replaceAll('.', '') + email.slice(Math.max(at, 0));
}
