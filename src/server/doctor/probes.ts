import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { connect } from 'node:tls';
import ky from 'ky';
import * as v from 'valibot';
import { formatOrderDate } from '#domain/date.ts';
import { DAY, isoTime } from '#server/process/clock.ts';
import { BUILD_INFO, currentRelease } from '#server/process/publishing.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { PUBLISH } from '#server/settings/settings.ts';
import type { Certificate, Check, Problem, RunningFacts } from './check.ts';
import { isReserved } from './demo.ts';

/* Checks that ask other servers, as visitors do. */

const BuildInfo = v.object({ release: v.string() });

const ANSWER_MS = 5_000;

interface Answer<T> {
  readonly at: number;
  readonly answer: Promise<T>;
}

/** Returns the function with its answers cached: for a minute, because an address that does not answer takes seconds. */
export function cached<Subject, Key, T>(
  ask: (subject: Subject) => Promise<T>,
  keyOf: (subject: Subject) => Key,
  answers: Pick<Map<Key, Answer<T>>, 'get'> & { set(key: Key, answer: Answer<T>): unknown } = new Map(),
  forMs = 60_000,
): (subject: Subject, now: number) => Promise<T> {
  return (subject, now) => {
    const last = answers.get(keyOf(subject));
    if (last && Math.abs(now - last.at) < forMs) return last.answer;
    const answer = ask(subject);
    answers.set(keyOf(subject), { at: now, answer });
    return answer;
  };
}

const itself = (address: string): string => address;

/** Returns why a call failed: the innermost cause, which sometimes has only a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** Fetches the id of the release that visitors get. Returns a sentence if it is unknown. */
const liveRelease = cached(async (origin: string): Promise<{ id: string } | { problem: string }> => {
  const url = new URL(`/${BUILD_INFO}`, origin).href;
  try {
    const answer = ky(url, { cache: 'no-store', timeout: ANSWER_MS, retry: 0 });
    return { id: (await answer.json(BuildInfo)).release };
  } catch (error) {
    return { problem: `${url} does not name a release (${reasonOf(error)}).` };
  }
}, itself);

/** Returns the certificate of an https address; undefined if it does not answer, as behind some routers. */
export const certificateOf = cached(
  (origin: string) =>
    new Promise<Certificate | undefined>((answer) => {
      const { hostname, port } = new URL(origin);
      const host = hostname.replaceAll(/[[\]]/g, '');
      const socket = connect({
        host,
        port: Number(port || 443),
        servername: isIP(host) ? '' : host,
        rejectUnauthorized: false,
        timeout: ANSWER_MS,
      });
      const end = (found?: Certificate) => {
        answer(found);
        socket.destroy();
      };
      socket.on('error', () => end());
      socket.on('timeout', () => end());
      socket.on('secureConnect', () =>
        end({
          until: Date.parse(socket.getPeerCertificate().valid_to),
          refusal: socket.authorized ? undefined : String(socket.authorizationError),
        }),
      );
    }),
  itself,
);

/** In ms. Programs that renew certificates begin 30 days before, so by then they have failed for long. */
const RENEWED_BEFORE = 14 * DAY;

async function certificateProblem(origin: string, facts: RunningFacts): Promise<Problem | false> {
  const { now, certificateOf: find = certificateOf } = facts;
  const { until = Number.NaN, refusal } = (await find(origin, now)) ?? {};
  const date = formatOrderDate(isoTime(until || 0));
  if (until <= now) return { problem: `The certificate of ${origin} ended on ${date}.`, since: until };
  if (refusal !== undefined) return { problem: `Browsers refuse the certificate of ${origin}: ${refusal}.` };
  return until < now + RENEWED_BEFORE && { problem: `The certificate of ${origin} ends on ${date}.` };
}

export const PROBES: readonly Check<RunningFacts>[] = [
  {
    name: 'certificate',
    todo: 'Renew it (certbot renew, or restart Caddy), and find out why that did not happen automatically. From its end, no browser opens the address.',
    async find(facts) {
      const { settings, shop } = facts;
      const addresses = [settings?.apiOrigin, shop?.store.siteUrl, ...(settings?.siteOrigins ?? [])];
      const origins = addresses.flatMap((address) =>
        address?.startsWith('https:') && !isReserved(address) ? new URL(address).origin : [],
      );
      const found = await Promise.all([...new Set(origins)].map((each) => certificateProblem(each, facts)));
      const problems = found.filter((each) => each !== false);
      const times = problems.flatMap(({ since }) => since ?? []);
      return (
        problems.length > 0 && {
          problem: problems.map(({ problem }) => problem).join(' '),
          since: times.length === 0 ? undefined : Math.min(...times),
        }
      );
    },
  },
  {
    name: 'live release',
    todo: 'Run npm run release, and look at the web server and PUBLISH_AFTER.',
    page: '/publish',
    async find({ env, shop, now }) {
      const origin = shop?.store.siteUrl;
      if (!origin || isReserved(origin)) return undefined;
      const live = await liveRelease(origin, now);
      if ('problem' in live) return `Visitors do not get the shop. ${live.problem}`;
      const current = currentRelease(resolve(parseSettings(PUBLISH, env).PUBLISH_DIR));
      return (
        current !== undefined &&
        current !== live.id &&
        `Visitors of ${origin} get release ${live.id}, and ${current} should be live.`
      );
    },
  },
];
