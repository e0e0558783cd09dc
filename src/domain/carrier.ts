interface Carrier {
  readonly name: string;
  /** Where the carrier tells about a parcel; `{number}` is its number. */
  readonly track: string;
}

/**
 * The carriers that an order can be handed to, by the words that are stored. A new one is a line here, and its host in
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

export type CarrierName = keyof typeof CARRIERS;

export const isCarrier = (name: string): name is CarrierName => Object.hasOwn(CARRIERS, name);

export const CARRIER_NAMES: readonly CarrierName[] = Object.keys(CARRIERS).filter(isCarrier);

export const trackingUrl = (carrier: CarrierName, number: string): string =>
  CARRIERS[carrier].track.replace('{number}', encodeURIComponent(number));

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** What is stored of a carrier that somebody typed: its word in the table, or the name as it was typed. */
export const carrierWord = (typed: string): string =>
  CARRIER_NAMES.find((word) => sameName(CARRIERS[word].name, typed)) ?? typed;

/** The name of a stored carrier. */
export const carrierTitle = (word: string): string => (isCarrier(word) ? CARRIERS[word].name : word);
