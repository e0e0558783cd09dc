/**
 * Takes the steps of scripts/api/hosting/README.md in a clean folder, up to a paid order in a browser:
 * npm run rehearse [-- --web=caddy|nginx] [--database=sqlite|postgres] [--whole] [--pictures=FOLDER]
 */
import { parseArgs } from 'node:util';
import { type Choice, DATABASES, WEB } from './page.ts';
import { rehearse } from './steps.ts';

const { values } = parseArgs({
  options: {
    web: { type: 'string' },
    database: { type: 'string' },
    whole: { type: 'boolean', default: false },
    pictures: { type: 'string' },
  },
});

const chosen = <Name extends string>(all: readonly Name[], name: string | undefined): readonly Name[] =>
  name === undefined ? all : all.filter((one) => one === name);

const choices = chosen(WEB, values.web).flatMap((web) =>
  chosen(DATABASES, values.database).map((database): Choice => ({ web, database })),
);
for (const choice of choices) {
  const started = performance.now();
  console.log(`${choice.web}, ${choice.database}`);
  const { commands } = await rehearse(choice, {
    whole: values.whole,
    pictures: values.pictures,
    say: (text) => console.log(`  ${text}`),
  });
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(`A paid order after ${commands} commands, in ${seconds} s.`);
}
