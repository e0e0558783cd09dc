import {
  type AliasNode,
  ColumnNode,
  type CompiledQuery,
  DefaultQueryCompiler,
  DummyDriver,
  type Expression,
  IdentifierNode,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type PrimitiveValueListNode,
  ReferenceNode,
  type SelectionNode,
  sql,
} from 'kysely';
import * as v from 'valibot';
import type { Parsed, Parsers, Query, Reader, Transaction } from './database.ts';
import type { Tables } from './tables.ts';

const columnNames = new Map<string, string>();

/** Returns 'created_at' for 'createdAt'. */
export function columnOf(name: string): string {
  const known = columnNames.get(name);
  if (known !== undefined) return known;
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  columnNames.set(name, column);
  return column;
}

/** Writes SQL that both databases understand. Tables and columns are in snake_case there. */
class Compiler extends DefaultQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '?';
  }

  protected override sanitizeIdentifier(name: string): string {
    return columnOf(name);
  }

  protected override visitSelection(node: SelectionNode): void {
    super.visitSelection(node);
    const { selection } = node;
    if (!ReferenceNode.is(selection) || !ColumnNode.is(selection.column)) return;
    const { name } = selection.column.column;
    if (columnOf(name) !== name) this.append(` as "${name}"`);
  }

  /** The columns of a result keep the names that the program uses. */
  protected override visitAlias({ node, alias }: AliasNode): void {
    this.visitNode(node);
    if (IdentifierNode.is(alias)) this.append(` as "${alias.name}"`);
  }

  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (node.values.length === 0) this.append('(null)');
    else super.visitPrimitiveValueList(node);
  }
}

/** Builds queries. `Database` runs them. */
export const q = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  },
});

/** PostgreSQL's sums are decimal numbers, which its driver returns as texts, and null without rows. */
export const sumOf = (sum: Expression<unknown>) => sql<number>`cast(coalesce(${sum}, 0) as bigint)`;

/** Literals, for partial indexes: SQLite uses such an index only if the query itself has the index's values. */
export const literals = <T extends string>(...values: readonly T[]) => values.map((value) => sql.lit(value));

export const compiled = <Row>(query: Query<Row>): CompiledQuery<Row> => query.compile(q);

export type RowOf<Q, P = object> = Q extends Query<infer Row> ? Parsed<Row, P> : never;

/** Stands for a value while a query is written. */
class Place {
  readonly read: (values: unknown) => unknown;

  constructor(read: Place['read']) {
    this.read = read;
  }

  [Symbol.toPrimitive](): never {
    throw new TypeError('A query that is written once cannot compute with its values.');
  }
}

const isPart = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

/** A copy of the values, of any depth, with a place for each. */
function placesOf(value: unknown, read: Place['read'] = (values) => values): unknown {
  if (!isPart(value)) return new Place(read);
  const places = Object.entries(value).map(
    ([name, part]) => [name, placesOf(part, (values) => Reflect.get(Object(read(values)), name))] as const,
  );
  return Array.isArray(value) ? places.map(([, place]) => place) : Object.fromEntries(places);
}

/** Queries differ by the lengths of their lists. */
const shapeOf = (values: object): string => {
  let shape = '';
  for (const value of Object.values(values)) shape += Array.isArray(value) ? `${value.length},` : ',';
  return shape;
};

/**
 * Writes a frequent query once for each length of its lists, with the names of its first values.
 * @param build must not look at the values
 * @throws Error if later values have more or fewer names
 */
export function prepared<Values extends object, Row>(
  build: (values: Values) => Query<Row>,
): (values: Values) => Query<Row> {
  const written = new Map<string, CompiledQuery<Row>>();
  let names: readonly string[] | undefined;
  return (values) => ({
    compile(executor) {
      names ??= Object.keys(values);
      const shape = shapeOf(values);
      let known = written.get(shape);
      if (!known) {
        if (Object.keys(values).length !== names.length)
          throw new Error(`This query needs ${names.join(', ')} each time.`);
        known = build(placesOf(values) as Values).compile(executor);
        written.set(shape, known);
      }
      const parameters = known.parameters.map((each) => (each instanceof Place ? each.read(values) : each));
      return { ...known, parameters };
    },
  });
}

/** How a database runs statements. */
export interface Statements {
  readonly select: (text: string, values: readonly unknown[]) => Promise<object[]>;
  /** Returns how many rows changed. */
  readonly change: (text: string, values: readonly unknown[]) => Promise<number>;
}

export function readerOf(select: Statements['select']): Reader {
  async function rows<Row, P extends Parsers<Row>>(
    query: Query<Row>,
    parsers?: P,
  ): Promise<Parsed<Row, P>[]> {
    const statement = compiled(query);
    const found = await select(statement.sql, statement.parameters);
    const columns = Object.entries<v.GenericSchema<unknown, unknown> | undefined>(parsers ?? {});
    for (const row of found)
      for (const [name, schema] of columns)
        if (schema) Reflect.set(row, name, v.parse(schema, Reflect.get(row, name)));
    // The types of the rows come from the same tables as the columns of both databases.
    return found as Parsed<Row, P>[];
  }
  return { rows, row: async (query, parsers) => (await rows(query, parsers))[0] };
}

export const transactionOf = ({ select, change }: Statements): Transaction => ({
  ...readerOf(select),
  async run(query) {
    const statement = compiled(query);
    return change(statement.sql, statement.parameters);
  },
});
