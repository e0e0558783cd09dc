import { tidySigns, toAsciiDigits } from './text.ts';

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

/** A label with letters outside ASCII may contain digits of its script. */
const digitsOf = (part: string): string => (/[^\p{ASCII}\p{Nd}]/u.test(part) ? part : toAsciiDigits(part));

/**
 * Returns the form in which emails are stored, compared and counted, so that variants of one email share an account and
 * a limit: trimmed, lower case, NFC, without invisible characters, domain in ASCII. An invalid domain becomes ''.
 */
export function canonicalEmail(text: string): string {
  const email = tidySigns(text).toLowerCase().normalize('NFC');
  const domain = email.lastIndexOf('@') + 1;
  return domain === 0 ? email : digitsOf(email.slice(0, domain)) + asciiHost(digitsOf(email.slice(domain)));
}

/**
 * Returns the mailbox that most likely receives the email: many providers ignore '+tag', some ignore dots, and Gmail's has
 * two domains.
 * @param email in its canonical form
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local = ''] = email.slice(0, Math.max(at, 0)).split('+');
  const domain = email.slice(Math.max(at, 0)).replace('@googlemail.com', '@gmail.com');
  return local.replaceAll('.', '') + domain;
}
