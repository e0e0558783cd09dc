import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/publish/hosts/s3-cloudfront.ts', import.meta.url));

/** Stands in for the `aws` program: notes its words and what it was to upload, and remembers the distribution. */
const FAKE_AWS = `#!/usr/bin/env node
import { appendFileSync, copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
const words = process.argv.slice(2);
const folder = process.env.FAKE_FOLDER;
const local = words[1] === 'cp' ? words[2] : undefined;
const files = local ? readdirSync(local, { recursive: true }).filter((f) => statSync(local + '/' + f).isFile()) : undefined;
appendFileSync(folder + '/calls', JSON.stringify({ words, files }) + '\\n');
if (words[1] === 'get-distribution-config') process.stdout.write(readFileSync(folder + '/distribution.json'));
if (words[1] === 'update-distribution') {
  const config = JSON.parse(readFileSync(words.at(-1).replace('file://', '')));
  const { writeFileSync } = await import('node:fs');
  writeFileSync(folder + '/distribution.json', JSON.stringify({ ETag: 'E2', DistributionConfig: config }));
}
`;

interface Call {
  readonly words: string[];
  readonly files?: string[];
}

test('S3 and CloudFront get only what changed, then the path switches', async () => {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'package.json'), '{"type":"module"}');
  writeFileSync(join(bin, 'aws'), FAKE_AWS);
  chmodSync(join(bin, 'aws'), 0o755);
  const origin = { Id: 'shop', OriginPath: '', DomainName: 'shop.s3.amazonaws.com' };
  const config = { CallerReference: 'x', Origins: { Quantity: 1, Items: [origin] } };
  writeFileSync(
    join(folder, 'distribution.json'),
    JSON.stringify({ ETag: 'E1', DistributionConfig: config }),
  );

  const root = join(folder, 'releases');
  const shop = tinyShop(5);
  const deploy = async (id: string | undefined): Promise<Call[]> => {
    writeFileSync(join(folder, 'calls'), '');
    await promisify(execFile)(process.execPath, [SCRIPT], {
      env: {
        PATH: [bin, process.env.PATH].join(delimiter),
        FAKE_FOLDER: folder,
        S3_BUCKET: 'shop',
        CLOUDFRONT_DISTRIBUTION: 'E123',
        RELEASE_ID: id,
        RELEASE_SITE: join(root, `${id}`, 'site'),
      },
    });
    const lines = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  };
  const live = () => JSON.parse(readFileSync(join(folder, 'distribution.json'), 'utf8'));

  const first = await publishTiny(root, shop, { precompress: false });
  const calls = await deploy(first.id);
  expect(calls.map(({ words }) => words[1])).toEqual([
    'get-distribution-config',
    'cp',
    'cp',
    'update-distribution',
    'create-invalidation',
  ]);
  expect(calls[1]).toMatchObject({ files: ['_astro/app.first.js'] });
  expect(calls[1]?.words).toContain('public, max-age=31536000, immutable');
  expect(calls[2]?.files).toContain('product/p4.html');
  expect(live().DistributionConfig).toMatchObject({
    CallerReference: 'x',
    Origins: { Items: [{ OriginPath: `/releases/${first.id}`, DomainName: origin.DomainName }] },
  });

  shop.products[0] = { id: 'p0', name: 'Mango 0', price: 1 };
  const second = await publishTiny(root, shop, { precompress: false });
  const next = await deploy(second.id);
  expect(next[1]?.words.slice(0, 4)).toEqual([
    's3',
    'sync',
    `s3://shop/releases/${first.id}/`,
    `s3://shop/releases/${second.id}/`,
  ]);
  expect(next[2]?.files?.filter((file) => file.endsWith('.html'))).toEqual(['product/p0.html']);
  expect(next[3]?.words).toEqual(expect.arrayContaining(['--if-match', 'E2']));
  expect(existsSync(join(root, `${second.id}`, '.upload-'))).toBe(false);
});
