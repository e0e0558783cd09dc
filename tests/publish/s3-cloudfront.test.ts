import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/publish/hosts/s3-cloudfront.ts', import.meta.url));

/** Stands in for the `aws` program: logs its arguments and the files to upload, stores bucket and distribution. */
const FAKE_AWS = `#!/usr/bin/env node
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
const words = process.argv.slice(2);
const folder = process.env.FAKE_FOLDER;
const local = words[1] === 'cp' ? words[2] : undefined;
const files = local ? readdirSync(local, { recursive: true }).filter((f) => statSync(local + '/' + f).isFile()) : undefined;
appendFileSync(folder + '/calls', JSON.stringify({ words, files }) + '\\n');
const bucket = folder + '/bucket/';
const option = (name) => words[words.indexOf(name) + 1];
const place = (address) => bucket + address.replace('s3://shop/', '');
mkdirSync(bucket + 'releases', { recursive: true });
if (words[1] === 'cp') cpSync(words[2], place(words[3]), { recursive: true });
if (words[1] === 'sync') cpSync(place(words[2]), place(words[3]), { recursive: true });
if (words[1] === 'put-object') writeFileSync(bucket + option('--key'), '');
if (words[1] === 'list-objects-v2') {
  const all = readdirSync(bucket, { recursive: true }).filter((f) => statSync(bucket + f).isFile());
  const found = all.filter((f) => f.startsWith(option('--prefix')));
  process.stdout.write(JSON.stringify(found.length > 0 ? found : null));
}
if (words[1] === 'delete-objects') {
  const { Objects } = JSON.parse(readFileSync(option('--delete').replace('file://', '')));
  for (const { Key } of Objects) rmSync(bucket + Key);
}
if (words[1] === 'get-distribution-config') process.stdout.write(readFileSync(folder + '/distribution.json'));
if (words[1] === 'update-distribution') {
  const config = JSON.parse(readFileSync(words.at(-1).replace('file://', '')));
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
    'list-objects-v2',
    'cp',
    'cp',
    'list-objects-v2',
    'put-object',
    'update-distribution',
    'create-invalidation',
  ]);
  expect(calls[2]).toMatchObject({ files: ['_astro/app.first.js'] });
  expect(calls[2]?.words).toContain('public, max-age=31536000, immutable');
  expect(calls[3]?.files).toContain('product/p4.html');
  expect(live().DistributionConfig).toMatchObject({
    CallerReference: 'x',
    Origins: { Items: [{ OriginPath: `/releases/${first.id}`, DomainName: origin.DomainName }] },
  });

  shop.products[0] = { id: 'p0', name: 'Mango 0', price: 1 };
  shop.products.pop();
  const second = await publishTiny(root, shop, { precompress: false });
  const next = await deploy(second.id);
  expect(next[2]?.words.slice(0, 4)).toEqual([
    's3',
    'sync',
    `s3://shop/releases/${first.id}/`,
    `s3://shop/releases/${second.id}/`,
  ]);
  expect(next[3]?.files?.filter((file) => file.endsWith('.html'))).toEqual(['index.html', 'product/p0.html']);
  expect(next.find(({ words }) => words[1] === 'update-distribution')?.words).toEqual(
    expect.arrayContaining(['--if-match', 'E2']),
  );
  const inBucket = (id: string | undefined): Promise<string[]> =>
    listFiles(join(folder, 'bucket/releases', `${id}`));
  const inSite = (id: string | undefined): Promise<string[]> => listFiles(join(root, `${id}`, 'site'));
  // The removed product was copied together with the last release, and then deleted.
  expect(await inBucket(second.id)).not.toContain('product/p4.html');
  expect(await inBucket(second.id)).toEqual(await inSite(second.id));

  const back = await deploy(first.id);
  expect(back.map(({ words }) => words[1])).not.toContain('sync');
  expect(back.map(({ words }) => words[1])).not.toContain('cp');
  expect(await inBucket(first.id)).toEqual(await inSite(first.id));
  expect(live().DistributionConfig.Origins.Items[0].OriginPath).toBe(`/releases/${first.id}`);
  expect(existsSync(join(root, `${second.id}`, '.upload-'))).toBe(false);
});
