import * as v from 'valibot';
import type { Settings } from '#scripts/program/setting.ts';

/** For PUBLISH_AFTER=`node scripts/publish/hosts/s3-cloudfront.ts`. */
export const S3_SETTINGS = {
  S3_BUCKET: {
    schema: v.pipe(v.string(), v.regex(/^[a-z0-9.-]{3,63}$/, 'must be the name of a bucket')),
    meaning: 'The bucket for the releases.',
    example: 'shop-example',
  },
  CLOUDFRONT_DISTRIBUTION: {
    schema: v.pipe(v.string(), v.regex(/^[A-Z0-9]+$/, 'must be the id of a distribution')),
    meaning: 'The distribution that serves them.',
    example: 'E1EXAMPLE',
  },
} satisfies Settings;
