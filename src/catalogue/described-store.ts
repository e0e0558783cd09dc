import { homeTexts } from '#domain/home-texts.ts';
import { withDefaults } from '#domain/store-fields.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { STORE_DEFAULTS } from '#site.ts';

/** Returns the store record as pages show it: with the defaults of src/site.ts, and with filled placeholders in the home texts. */
export function describedStore(record: StoreInfo): StoreInfo {
  const store = withDefaults(record, STORE_DEFAULTS);
  return {
    ...store,
    siteUrl: new URL(isWebAddress(store.siteUrl) ? store.siteUrl : STORE_DEFAULTS.siteUrl).origin,
    ...homeTexts(store),
    newsletterUrl: isWebAddress(store.newsletterUrl, /^https:$/) ? store.newsletterUrl : '',
    social: store.social.filter(({ url }) => isWebAddress(url)),
  };
}

const isWebAddress = (text: string, scheme = /^https?:$/): boolean =>
  URL.canParse(text) && scheme.test(new URL(text).protocol);
