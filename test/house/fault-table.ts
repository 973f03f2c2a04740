/** Compares the fault table with its use, in both directions. */
import { faults } from '../../src/base/faults.ts';
import {
  complaintAt,
  isBelow,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  nodesOfTypes,
  type Rule,
  type Source,
  textOf,
} from './source.ts';

const PRODUCT = ['src', 'drivers', 'electron'];

/** `new Fault(…)` names a row, and fills every placeholder of the row's texts. */
export const faultsThrown: Rule = (source) =>
  (isBelow(source.path, PRODUCT) ? nodesOfTypes(source.tree, 'NewExpression') : [])
    .filter((node) => nameOf(nodeAt(node, 'callee')) === 'Fault')
    .flatMap((node) => {
      const [first, facts] = nodesAt(node, 'arguments');
      return codesIn(first).flatMap((code) => {
        if (!Object.hasOwn(faults, code)) return [complaintAt(source, node, `no row '${code}' in src/base/faults.ts`)];
        const missingFacts = blanksOf(code).filter(
          (blank) => !factNames(facts)?.includes(blank) && factNames(facts) !== undefined,
        );
        return missingFacts.length === 0
          ? []
          : [complaintAt(source, node, `'${code}' needs the facts ${missingFacts.join(', ')}`)];
      });
    });

/** The code, or both codes of `condition ? 'a' : 'b'`. */
const codesIn = (node: Node | undefined): string[] => {
  const text = textOf(node);
  if (text !== undefined) return [text];
  return node?.type === 'ConditionalExpression'
    ? [...codesIn(nodeAt(node, 'consequent')), ...codesIn(nodeAt(node, 'alternate'))]
    : [];
};

const blanksOf = (code: string): string[] => {
  const row = faults[code as keyof typeof faults];
  return [...`${row.says} ${row.money} ${row.next}`.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
};

/** The names in an object literal; undefined if it is not one or spreads another object. */
const factNames = (facts: Node | undefined): string[] | undefined => {
  if (facts === undefined) return [];
  if (facts.type !== 'ObjectExpression') return undefined;
  const parts = nodesAt(facts, 'properties');
  if (parts.some(({ type }) => type !== 'Property')) return undefined;
  return parts.map((part) => nameOf(nodeAt(part, 'key')) ?? textOf(nodeAt(part, 'key')) ?? '');
};

/** Rows that no code of the product uses. */
export const faultsUnused = (codes: readonly string[], sources: readonly Source[]): string[] => {
  const names = new Set(
    sources
      .filter(({ path }) => isBelow(path, PRODUCT) && path !== 'src/base/faults.ts')
      .flatMap(({ tree }) => nodesOfTypes(tree, 'Literal').map(textOf)),
  );
  return codes
    .filter((code) => !names.has(code))
    .map((code) => `src/base/faults.ts: nothing throws '${code}'; delete the row`);
};
