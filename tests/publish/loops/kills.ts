/**
 * `npm run maintain -- publish:kills [--kills 200] [--real]` kills publications at random moments (faults 81). `--real`
 * publishes a real shop of twelve products; without it a tiny site takes the place of the build.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killLoop, startTiny } from '#tests/publish/support/kill-loop.ts';
import { startScript } from '#tests/publish/support/run.ts';
import { answerStub, stubCatalogue } from '#tests/publish/support/stub-catalogue.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, real: { type: 'boolean', default: false } },
});

const root = mkdtempSync(join(tmpdir(), 'publish-kills-'));
const catalogue = stubCatalogue(12);
const server = createServer((request, response) => answerStub(catalogue, request, response));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;

function startReal(round: number) {
  catalogue.products = catalogue.products.map((product) => ({ ...product, regularPrice: 100 + round }));
  const env = { PUBLIC_API_HOST: `http://127.0.0.1:${port}`, PUBLISH_DIR: root };
  return startScript('release.ts', env, ['--allow-heavy']).child;
}

try {
  const report = await killLoop(
    root,
    Number(values.kills),
    values.real ? startReal : (round) => startTiny(root, round + 1),
    ({ killed, ended, releases }) => {
      if ((killed + ended) % 20 === 0) console.log(`${killed} killed, ${ended} ended, ${releases} releases`);
    },
  );
  console.log(
    `The live release was whole after each of ${report.killed} kills and ${report.ended} publications.`,
  );
} finally {
  server.close();
  server.closeAllConnections();
  rmSync(root, { recursive: true, force: true });
}
