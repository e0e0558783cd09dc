import { readFile } from 'node:fs/promises';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { listFiles } from '#scripts/publish/site/built-pages.ts';

/*
 * A page translation replaces texts, and React then changes a text that is no longer on the page, or throws when it
 * removes it or puts an element before it. An element that contains only the text has no such problem.
 */

/** Names of what components pass on, which is an element. */
const PASSED_ON = new Set(['children', 'icon', 'after', 'picture']);

const isText = (node: ts.JsxChild): boolean => ts.isJsxText(node) && node.text.trim() !== '';

/** Whether the expression is only elements, or nothing. */
function isElement(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isElement(node.expression);
  if (ts.isConditionalExpression(node)) return isElement(node.whenTrue) && isElement(node.whenFalse);
  if (ts.isBinaryExpression(node)) return isElement(node.right);
  if (ts.isIdentifier(node)) return PASSED_ON.has(node.text);
  if (ts.isCallExpression(node)) return /(?:\.map|^field|^children)$/.test(node.expression.getText());
  return (
    ts.isJsxElement(node) ||
    ts.isJsxSelfClosingElement(node) ||
    ts.isJsxFragment(node) ||
    node.kind === ts.SyntaxKind.NullKeyword
  );
}

function problemOf(node: ts.JsxElement | ts.JsxFragment): string | undefined {
  const children = node.children.filter((child) => !ts.isJsxText(child) || isText(child));
  const values = children.flatMap((child) =>
    ts.isJsxExpression(child) && child.expression ? [child.expression] : [],
  );
  const texts = values.filter((value) => !isElement(value) && !ts.isStringLiteral(value));
  if (ts.isJsxFragment(node) && (texts.length > 0 || children.some(isText))) return 'text in a fragment';
  if (children.length > 1 && texts.length > 0) return 'a changing text beside others';
  const first = children.findIndex((child) => ts.isJsxExpression(child));
  return first !== -1 && children.slice(first).some(isText) ? 'text after what may come and go' : undefined;
}

test('in islands, every text that changes, or stands after what may come and go, has an element of its own', async () => {
  const found: string[] = [];
  for (const file of (await listFiles('src/islands')).filter((name) => name.endsWith('.tsx'))) {
    const source = ts.createSourceFile(
      file,
      await readFile(`src/islands/${file}`, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node: ts.Node): void => {
      const problem = ts.isJsxElement(node) || ts.isJsxFragment(node) ? problemOf(node) : undefined;
      if (problem) found.push(`${file}: ${problem}: ${node.getText().replace(/\s+/g, ' ').slice(0, 120)}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  expect(found).toEqual([]);
});
