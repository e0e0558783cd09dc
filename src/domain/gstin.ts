const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * A state (01 to 38, 97 for other territory, 99 for the centre), a PAN or a TAN, the number of the registration in the state,
 * its kind (mostly Z), and a check character; or the number of an embassy, of the United Nations or of a registration
 * abroad. https://services.gst.gov.in/services/searchtp
 */
const FORM =
  /^(?:0[1-9]|[12]\d|3[0-8]|97|99)(?:[A-Z]{4}[A-Z\d]\d{4}[A-Z][1-9A-Z]{2}|\d{2}[A-Z]{3}\d{5}[A-Z]{2})[A-Z\d]$/;

/** The weights alternate between 1 and 2. Of each product, both base-36 digits are added. */
function checkSign(signs: string): string | undefined {
  let sum = 0;
  for (const [index, sign] of [...signs].entries()) {
    const product = SIGNS.indexOf(sign) * (1 + (index % 2));
    sum += Math.floor(product / SIGNS.length) + (product % SIGNS.length);
  }
  return SIGNS[(SIGNS.length - (sum % SIGNS.length)) % SIGNS.length];
}

/** Whether a text in capitals, without blanks, can be a GSTIN: it has an existing state, and its check character is right. */
export const isGstin = (text: string): boolean =>
  FORM.test(text) && checkSign(text.slice(0, -1)) === text.at(-1);
