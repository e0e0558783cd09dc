import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStubApi } from '#tests/publish/support/stub-catalogue.ts';
import { build, HERE, type Usage } from './builds.ts';
import type { Row } from './table.ts';

const COUNT = 10_000;
/** Rupees. No other product has this price. */
const NEW_PRICE = 817_263;

/** Measures a full build of a generated shop, and the build after one price has changed. */
export async function measureBuild(other: string | undefined): Promise<Row[]> {
  const work = mkdtempSync(join(tmpdir(), 'bench-build-'));
  let stop = (): void | Promise<void> => {};
  const api = await startStubApi(COUNT, (end) => {
    stop = end;
  });
  const folders = other === undefined ? [HERE] : [HERE, other];
  const buildAll = async (name: string, ...args: string[]): Promise<Usage[]> => {
    const usages: Usage[] = [];
    for (const [index, folder] of folders.entries()) {
      const env = {
        OUT_DIR: join(work, `dist-${index}`),
        PUBLIC_API_HOST: api.url,
        PUBLIC_IMAGES: 'passthrough',
      };
      usages.push(await build(folder, env, join(work, `${name}-${index}`), ...args));
    }
    return usages;
  };
  try {
    const full = await buildAll('full', '--', '--fresh');
    api.products[COUNT / 2] = { ...api.products[COUNT / 2], regularPrice: NEW_PRICE };
    const again = await buildAll('again');
    const row = (what: string, unit: string, [value, ...others]: readonly number[]): Row => ({
      what: `${COUNT.toLocaleString('en-IN')} products: ${what}`,
      unit,
      value,
      other: others[0],
    });
    const secondsOf = (usages: readonly Usage[]): number[] => usages.map(({ seconds }) => seconds);
    const shares = again.map(({ cpu }, index) => cpu / (full[index]?.cpu ?? Number.NaN));
    const cpus = full.map(({ cpu }) => cpu / COUNT);
    const sizes = full.map(({ gib }) => gib);
    return [
      row('full build', 's', secondsOf(full)),
      row('full build, CPU a page', 'ms', cpus),
      row('full build, largest process', 'GiB', sizes),
      row('one price changed', 's', secondsOf(again)),
      row('one price changed, share of the CPU of a full build', '', shares),
    ];
  } finally {
    await stop();
    rmSync(work, { recursive: true, force: true });
  }
}
