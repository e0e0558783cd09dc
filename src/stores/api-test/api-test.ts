import { atom } from 'nanostores';
import type { RawAnswer } from '#api/diagnosis.ts';

export type ApiTest =
  | { readonly status: 'idle' }
  | { readonly status: 'running' }
  | { readonly status: 'answered'; readonly answer: RawAnswer; readonly data: string }
  | { readonly status: 'failed'; readonly text: string };

export const IDLE_TEST: ApiTest = { status: 'idle' };

export const $apiTest = atom<ApiTest>(IDLE_TEST);

const CONNECTION_FAILED = 'Connection failed. Check console for details.';
/** In characters. The policies are long and come last, so the rest of the store record is shown whole. */
const DATA_LIMIT = 50_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Requests the store record from the API and stores the response unchanged. */
export async function runApiTest(): Promise<void> {
  if ($apiTest.get().status === 'running') return;
  $apiTest.set({ status: 'running' });
  try {
    const { fetchRawStoreInfo } = await import('#api/diagnosis.ts');
    const answer = await fetchRawStoreInfo();
    if (!answer) return $apiTest.set({ status: 'failed', text: CONNECTION_FAILED });
    const data = JSON.stringify(answer.data, null, 2).slice(0, DATA_LIMIT);
    $apiTest.set({ status: 'answered', answer, data });
  } catch (error) {
    $apiTest.set({ status: 'failed', text: `Unexpected error: ${messageOf(error)}` });
  }
}
