import { execFile } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { BuildError, messageOf } from '#scripts/program/explained-error.ts';
import { parseSettings, type Settings } from '#scripts/program/setting.ts';
import { readManifest } from '#scripts/publish/release/manifest.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { ASSETS } from '#scripts/publish/site/hosting.ts';
import { S3_SETTINGS } from './s3-settings.ts';

const SETTINGS = {
  ...S3_SETTINGS,
  RELEASE_ID: { schema: v.string(), meaning: 'PUBLISH_AFTER is given it.' },
  RELEASE_SITE: { schema: v.string(), meaning: 'PUBLISH_AFTER is given it.' },
} satisfies Settings;

const Distribution = v.object({
  ETag: v.string(),
  DistributionConfig: v.looseObject({
    Origins: v.looseObject({ Items: v.array(v.looseObject({ Id: v.string(), OriginPath: v.string() })) }),
  }),
});

const Keys = v.nullable(v.array(v.string()));
const Deleted = v.object({ Errors: v.optional(v.array(v.unknown()), []) });

const PREFIX = '/releases/';
/** How many objects S3 deletes in one call. */
const MAX_DELETED = 1_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

const aws = async (...words: string[]): Promise<string> =>
  (await promisify(execFile)('aws', words, { maxBuffer: MAX_OUTPUT_BYTES })).stdout;

/** The files that differ from the live release; all files if its manifest is not here. */
async function changedFiles(site: string, live: string | undefined): Promise<string[]> {
  const files = await listFiles(site);
  const releases = dirname(dirname(site));
  const before = live === undefined ? undefined : await readManifest(join(releases, live));
  const now = await readManifest(dirname(site));
  if (!before || !now) return files;
  return files.filter((file) => now.files[file]?.hash !== before.files[file]?.hash || !now.files[file]);
}

/** Links the files into a new folder, so that one command can upload them all. */
function gather(site: string, files: readonly string[]): string {
  const folder = mkdtempSync(join(dirname(site), '.upload-'));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    linkSync(join(site, file), join(folder, file));
  }
  return folder;
}

async function upload(site: string, files: readonly string[], target: string): Promise<void> {
  const parts = [
    { files: files.filter((file) => file.startsWith(ASSETS)), cache: 'public, max-age=31536000, immutable' },
    { files: files.filter((file) => !file.startsWith(ASSETS)), cache: 'no-cache' },
  ];
  for (const part of parts.filter(({ files }) => files.length > 0)) {
    const folder = gather(site, part.files);
    try {
      await aws(
        's3',
        'cp',
        folder,
        target,
        '--recursive',
        '--cache-control',
        part.cache,
        '--only-show-errors',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/** What the bucket has of a release: its files, and whether all of them arrived. */
async function storedRelease(bucket: string, id: string) {
  const prefix = `${PREFIX.slice(1)}${id}`;
  const list = ['s3api', 'list-objects-v2', '--bucket', bucket, '--prefix', prefix];
  const text = await aws(...list, '--query', 'Contents[].Key', '--output', 'json');
  const keys = v.parse(Keys, JSON.parse(text)) ?? [];
  // The marker is beside the folder, where visitors cannot reach it. An interrupted upload has none, and its folder may
  // hold files of another release.
  const marker = `${prefix}.complete`;
  const files = keys.filter((key) => key !== marker).map((key) => key.slice(prefix.length + 1));
  return { prefix, marker, files, isComplete: keys.includes(marker) };
}

/** Deletes the files that the copy of another release brought along. */
async function remove(bucket: string, keys: readonly string[], folder: string): Promise<void> {
  for (let start = 0; start < keys.length; start += MAX_DELETED) {
    const Objects = keys.slice(start, start + MAX_DELETED).map((Key) => ({ Key }));
    const file = join(folder, 'delete.json');
    writeFileSync(file, JSON.stringify({ Objects, Quiet: true }));
    const answer = await aws(
      's3api',
      'delete-objects',
      '--bucket',
      bucket,
      '--delete',
      `file://${file}`,
      '--output',
      'json',
    );
    const { Errors } = v.parse(Deleted, JSON.parse(answer || '{}'));
    if (Errors.length > 0) throw new BuildError(`S3 did not delete ${Errors.length} files of ${bucket}.`);
  }
}

/** Uploads a release to S3 and makes CloudFront serve it. PUBLISH_AFTER calls it, also after a roll back. */
async function main(): Promise<void> {
  const {
    S3_BUCKET,
    CLOUDFRONT_DISTRIBUTION: id,
    RELEASE_ID,
    RELEASE_SITE,
  } = parseSettings(SETTINGS, process.env);
  const site = resolve(RELEASE_SITE);
  const target = `s3://${S3_BUCKET}${PREFIX}${RELEASE_ID}/`;
  const config = await aws('cloudfront', 'get-distribution-config', '--id', id, '--output', 'json');
  const { ETag, DistributionConfig } = v.parse(Distribution, JSON.parse(config));
  const [origin] = DistributionConfig.Origins.Items;
  if (!origin) throw new BuildError(`The distribution ${id} has no origin.`);
  const live = origin.OriginPath.startsWith(PREFIX) ? origin.OriginPath.slice(PREFIX.length) : undefined;

  const before = await storedRelease(S3_BUCKET, RELEASE_ID);
  const siteFiles = await listFiles(site);
  const stored = new Set(before.files);
  const files = before.isComplete
    ? siteFiles.filter((name) => !stored.has(name))
    : await changedFiles(site, live);
  if (!before.isComplete && live !== undefined && live !== RELEASE_ID) {
    await aws('s3', 'sync', `s3://${S3_BUCKET}${PREFIX}${live}/`, target, '--only-show-errors');
  }
  await upload(site, files, target);

  origin.OriginPath = PREFIX + RELEASE_ID;
  const folder = mkdtempSync(join(dirname(site), '.upload-'));
  try {
    const expected = new Set(siteFiles);
    const { prefix, marker, files: arrived } = await storedRelease(S3_BUCKET, RELEASE_ID);
    const surplus = arrived.filter((name) => !expected.has(name)).map((name) => `${prefix}/${name}`);
    await remove(S3_BUCKET, surplus, folder);
    await aws('s3api', 'put-object', '--bucket', S3_BUCKET, '--key', marker);
    const file = join(folder, 'distribution.json');
    writeFileSync(file, JSON.stringify(DistributionConfig));
    await aws(
      'cloudfront',
      'update-distribution',
      '--id',
      id,
      '--if-match',
      ETag,
      '--distribution-config',
      `file://${file}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  await aws('cloudfront', 'create-invalidation', '--distribution-id', id, '--paths', '/*');
  console.log(`${files.length} files uploaded to ${target}; CloudFront is switching to it.`);
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
