import { type Fields, fieldsOf, parseJson } from '#domain/json.ts';
import { displayName, headerCategories, type StoreInfo } from '#domain/store-info.ts';
import { tabStorage } from './storage.ts';

/** Texts of the store record that every page shows, by the `data-store` name of the element. */
export type StoreTexts = Readonly<Record<string, string>>;

const KEY = 'store';

/** A tab may stay open for weeks, and its texts replace those of newer builds. */
const FRESH_MS = 60 * 60_000;

const store = (texts: StoreTexts): void =>
  tabStorage.write(KEY, JSON.stringify({ ...texts, at: String(Date.now()) }));

/** '' where the shop does not pause. The rules are loaded only where it does. */
async function pauseTexts(store: StoreInfo): Promise<StoreTexts> {
  const code = store.pause.until ? await import('#domain/buying/forecast.ts') : undefined;
  const pause = code?.pauseOf({ ...store, paymentMethods: [] }, Date.now());
  return {
    pause: pause?.text ?? '',
    pauseOwn: pause?.own ?? '',
    pauseTime: `${pause?.from} ${pause?.until}`,
  };
}

function textsOf(store: StoreInfo): StoreTexts {
  const categories = headerCategories(store).map((name, index) => [`category${index}`, name] as const);
  const texts = Object.entries(store).filter(([, value]) => typeof value === 'string');
  return { ...Object.fromEntries(texts), name: displayName(store), ...Object.fromEntries(categories) };
}

export function storedTexts(): StoreTexts | undefined {
  const stored = parseJson(tabStorage.read(KEY));
  if (!stored) return undefined;
  const { at, ...texts }: Fields<'at'> = fieldsOf(stored);
  if (!(Math.abs(Date.now() - Number(at)) < FRESH_MS)) return undefined;
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  );
}

/** The next page then fetches them again. */
export const clearStoredTexts = (): void => void tabStorage.take(KEY);

/** Fetches the texts once an hour. If the API fails, pages keep the texts of the build. */
export async function fetchStoreTexts(): Promise<StoreTexts | undefined> {
  // Stored before the response, so that the next pages do not repeat a failing request.
  store({});
  const [{ fetchInBackground }, { storeInfoRequest }] = await Promise.all([
    import('#api/background.ts'),
    import('#api/requests.ts'),
  ]);
  const result = await fetchInBackground(storeInfoRequest());
  if (!result.ok) return undefined;
  const texts = { ...textsOf(result.value), ...(await pauseTexts(result.value)) };
  store(texts);
  return texts;
}
