const CARRIER_URL =
  /^https:\/\/(?:www\.(?:delhivery|bluedart|xpressbees)\.com|tracking\.dtdc\.com|www\.indiapost\.gov\.in|ekartlogistics\.com)\/[\x21-\x7e]*$/;

/** Whether a link may be followed: https, at the host of a carrier of the table in carrier.ts. */
export const isCarrierUrl = (address: string): boolean => CARRIER_URL.test(address);

interface Carrier {
  readonly name: string;
  /** Where the carrier tells about a parcel; `{number}` is its number. */
  readonly track: string;
}

/**
 * The carriers whose pages tell about a parcel, by the key that is stored. A new one is a line here, and its host in
 * carrier-url.ts, which the shop's pages load in place of this table.
 */
export const CARRIERS = {
  delhivery: { name: 'Delhivery', track: 'https://www.delhivery.com/track-v2/package/{number}' },
  dtdc: {
    name: 'DTDC',
    track:
      'https://tracking.dtdc.com/ctbs-tracking/customerInterface.tr?submitName=showCITrackingDetails&cType=Consignment&cnNo={number}',
  },
  bluedart: {
    name: 'Blue Dart',
    track: 'https://www.bluedart.com/trackdartresultthirdparty?trackFor=0&trackNo={number}',
  },
  // It asks for the number on its page.
  indiapost: {
    name: 'India Post',
    track: 'https://www.indiapost.gov.in/_layouts/15/dop.portal.tracking/trackconsignment.aspx',
  },
  ekart: { name: 'Ekart', track: 'https://ekartlogistics.com/shipmenttrack/{number}' },
  xpressbees: { name: 'XpressBees', track: 'https://www.xpressbees.com/shipment/tracking?awbNo={number}' },
} as const satisfies Readonly<Record<string, Carrier>>;

export type CarrierKey = keyof typeof CARRIERS;

export const isCarrierKey = (text: string): text is CarrierKey => Object.hasOwn(CARRIERS, text);

export const CARRIER_KEYS: readonly CarrierKey[] = Object.keys(CARRIERS).filter(isCarrierKey);

export const trackingUrl = (carrier: CarrierKey, number: string): string =>
  CARRIERS[carrier].track.replace('{number}', encodeURIComponent(number));

/** 'Blue Dart', 'BlueDart' and 'blue-dart' are one carrier. */
const bareName = (name: string): string => name.toLowerCase().replaceAll(/[\s.-]/g, '');

/** What is stored of a carrier that somebody typed: its key in the table, or else the name as it was typed. */
export const storedCarrier = (typed: string): string =>
  CARRIER_KEYS.find((key) => bareName(CARRIERS[key].name) === bareName(typed)) ?? typed;

/** The name of a stored carrier; '' of none. */
export const carrierName = (stored: string | null): string =>
  stored !== null && isCarrierKey(stored) ? CARRIERS[stored].name : (stored ?? '');
