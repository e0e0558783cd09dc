import { foldText } from './fold-text.ts';

const CARRIER_URL =
  /^https:\/\/(?:www\.(?:delhivery|bluedart|xpressbees)\.com|tracking\.dtdc\.com|www\.indiapost\.gov\.in|ekartlogistics\.com)\/[\x21-\x7e]*$/;

/** Whether a link may be followed: https, at the host of a carrier in CARRIERS. */
export const isCarrierUrl = (address: string): boolean => CARRIER_URL.test(address);

interface Carrier {
  readonly name: string;
  /** The carrier's tracking page; `{number}` is the parcel's number. */
  readonly track: string;
}

/**
 * Couriers (carriers) with a tracking page, by the key that is stored. A new one is a line here and its host in CARRIER_URL, which
 * the shop's pages load instead of this table.
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
  // Its page has a form for the number.
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
const bareName = (name: string): string => foldText(name).replaceAll(/[\s.-]/g, '');

/** Returns the key of a typed carrier name, also of a service such as 'Delhivery Surface', or the name itself. */
export const storedCarrier = (input: string): string =>
  CARRIER_KEYS.find((key) => bareName(input).startsWith(bareName(CARRIERS[key].name))) ?? input;

export const carrierName = (stored: string | null): string =>
  stored !== null && isCarrierKey(stored) ? CARRIERS[stored].name : (stored ?? '');
