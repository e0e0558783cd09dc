import type { CatalogueReport } from '#scripts/publish/release/catalogue-report.ts';
import type { Files, Manifest } from '#scripts/publish/release/manifest.ts';
import type { SiteFacts } from '#scripts/publish/site/page-facts.ts';
import { checkBudgets } from './budgets.ts';
import { checkCatalogue, checkLostPages, checkProductPages } from './catalogue.ts';
import { checkPages } from './pages.ts';

export interface Candidate {
  readonly site: string;
  readonly files: Files;
  readonly facts: SiteFacts;
  readonly report: CatalogueReport;
  /** The live release. */
  readonly before: Manifest | undefined;
  /** Inline code that the policy refuses. */
  readonly forbidden: readonly string[];
  readonly options: {
    readonly allowShrink?: boolean;
    readonly allowLostPages?: boolean;
    readonly allowHeavy?: boolean;
  };
}

/** The reasons why a release may not go live, in words; empty if it may. */
export async function checkRelease(candidate: Candidate): Promise<string[]> {
  const { site, facts, report, before, forbidden, options } = candidate;
  const names = Object.keys(candidate.files);
  const files = new Set(names);
  const ids = Object.keys(report.products);
  const productsBefore = Object.keys(before?.products ?? {}).length;
  return [
    ...checkCatalogue(report, productsBefore, options.allowShrink === true),
    ...checkProductPages(ids, files),
    ...checkLostPages(Object.keys(before?.files ?? {}), files, new Set(ids), options.allowLostPages === true),
    ...forbidden.map((tag) => `A browser will refuse this inline code, ${tag}`),
    ...checkPages(facts, files),
    ...(options.allowHeavy ? [] : await checkBudgets(site, facts)),
  ];
}
