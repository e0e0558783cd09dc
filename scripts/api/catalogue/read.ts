import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { ProductSchema, type WireProduct } from '#scripts/api/schema/product.ts';
import { StoreFileSchema, type WireStoreInfo } from '#scripts/api/schema/store.ts';

export interface CatalogueContent {
  /** In the order in which the shop lists them; pictures are file names. */
  readonly products: readonly WireProduct[];
  readonly storeInfo: WireStoreInfo;
  /** Changes with any of the content. */
  readonly version: string;
}

/** Names every file and field that is wrong; nothing of such a folder is used. */
export class CatalogueError extends Error {
  readonly problems: readonly string[];

  constructor(folder: string, problems: readonly string[]) {
    super(
      `The catalogue in ${folder} cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

const IMAGE_NAME = /^[\w-]+(?:\.[\w-]+)*\.(?:webp|png|jpe?g|avif)$/;

export const isImageName = (name: string): boolean => IMAGE_NAME.test(name);
const isAddress = (image: string): boolean => /^https?:\/\//.test(image);

export const artFolder = (folder: string): string => join(folder, 'art');

/** Reads the folder: `products/*.json`, `store.json`, `policies/*.html`, `art/*`. @throws CatalogueError */
export function readCatalogue(folder: string): CatalogueContent {
  const problems: string[] = [];
  if (!existsSync(folder)) throw new CatalogueError(folder, ['the folder does not exist']);

  const filesIn = (name: string): string[] => {
    const path = join(folder, name);
    return existsSync(path) ? readdirSync(path).sort() : [];
  };
  const art = new Set(filesIn('art'));

  function json(file: string): unknown {
    try {
      return JSON.parse(readFileSync(join(folder, file), 'utf8'));
    } catch (error) {
      problems.push(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`);
      return undefined;
    }
  }

  function checked<S extends v.GenericSchema<unknown, unknown>>(
    schema: S,
    value: unknown,
    where: string,
  ): v.InferOutput<S> | undefined {
    const parsed = v.safeParse(schema, value);
    if (parsed.success) return parsed.output;
    for (const issue of parsed.issues) {
      problems.push(`${where}${v.getDotPath(issue) ? `, ${v.getDotPath(issue)}` : ''}: ${issue.message}`);
    }
    return undefined;
  }

  function checkImage(image: string, where: string): void {
    if (isAddress(image) || (isImageName(image) && art.has(image))) return;
    problems.push(`${where}: there is no picture '${image}' in art/`);
  }

  const products: WireProduct[] = [];
  const seen = new Map<string, string>();
  for (const name of filesIn('products').filter((file) => file.endsWith('.json'))) {
    const file = `products/${name}`;
    const list = json(file);
    if (list === undefined) continue;
    if (!Array.isArray(list)) problems.push(`${file}: must hold a list of products`);
    for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
      const product = checked(ProductSchema, entry, `${file}[${index}]`);
      if (!product) continue;
      const where = `${file} '${product.id}'`;
      // 'A1' beside 'a1' would be one file on some disks (faults 60).
      const other = seen.get(product.id.toLowerCase());
      if (other !== undefined) problems.push(`${where}: the id is taken by ${other}`);
      seen.set(product.id.toLowerCase(), where);
      for (const image of [product.imgUrl, ...product.images.map(({ url }) => url)]) checkImage(image, where);
      products.push(product);
    }
  }
  if (products.length === 0 && problems.length === 0) problems.push('products/: there is no product');

  const store = checked(StoreFileSchema, json('store.json'), 'store.json');
  for (const image of store ? [store.companyLogoUrl, ...Object.values(store.categoryImages)] : []) {
    if (image !== '') checkImage(image, 'store.json');
  }
  const policies: Record<string, string> = {};
  for (const [slug, file] of Object.entries(store?.policies ?? {})) {
    if (existsSync(join(folder, file))) policies[slug] = readFileSync(join(folder, file), 'utf8');
    else problems.push(`store.json, policies.${slug}: there is no ${file}`);
  }

  if (problems.length > 0 || !store) throw new CatalogueError(folder, problems);
  const content = { products, storeInfo: { ...store, policies } };
  return { ...content, version: createHash('sha256').update(JSON.stringify(content)).digest('base64url') };
}
