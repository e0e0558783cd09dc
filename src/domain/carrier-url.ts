const CARRIER_URL =
  /^https:\/\/(?:www\.(?:delhivery|bluedart|xpressbees)\.com|tracking\.dtdc\.com|www\.indiapost\.gov\.in|ekartlogistics\.com)\/[\x21-\x7e]*$/;

/** Whether a link may be followed: https, at the host of a carrier of the table in carrier.ts. */
export const isCarrierUrl = (address: string): boolean => CARRIER_URL.test(address);
