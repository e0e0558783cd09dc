/**
 * Visits the sites in turns (A, B, A, B …), so that a slow moment of the machine slows all of them. Returns a list of
 * results for each site.
 */
export async function inTurns<Site, Result>(
  sites: readonly Site[],
  rounds: number,
  visit: (site: Site) => Promise<Result>,
): Promise<Result[][]> {
  const results = sites.map((): Result[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, site] of sites.entries()) results[index]?.push(await visit(site));
  }
  return results;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const p75 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1] ?? Number.NaN;
