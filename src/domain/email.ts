/** Text, at sign, text, dot, text, no spaces. Each sign is tried in one way alone. */
const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

export const isEmail = (text: string): boolean => EMAIL.test(text.trim());

/** The host as URLs write it, in ASCII: 'bücher.example' is 'xn--bcher-kva.example'. Returns an impossible one as it is. */
function asciiHost(host: string): string {
  if (/[/:?#@\\%]/.test(host)) return host;
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return host;
  }
}

/**
 * The one form in which an email is stored, compared and counted, so that nobody has a second account or limit by an email
 * that only looks or travels differently: trimmed, lower case, composed (NFC), without invisible signs, its domain in ASCII.
 */
export function canonicalEmail(text: string): string {
  const email = text
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
    .normalize('NFC');
  const domain = email.lastIndexOf('@') + 1;
  return domain === 0 ? email : email.slice(0, domain) + asciiHost(email.slice(domain));
}
