/** Generates docs/reference/parameters.md: every parameter of the host API, and which operation accepts it. */
import { endpoints } from '../../src/gateway/server/all-endpoints.ts';
import { chaptersOf, type ReferenceChapter } from '../../src/gateway/server/documents/reference-parameters.ts';
import { documentationOf, type ParameterRow, type Req } from '../../src/gateway/spec/parameters/row.ts';
import { code, page, pageHead, plainText, table } from './markdown.ts';

const operations = endpoints.map(({ operation }) => operation);

const required: Readonly<Record<Req, string>> = { R: 'yes', C: 'when', O: '' };

const intro = `The parameters that a gateway accepts, by their names in a request. A running gateway serves the same
list, with examples and the rules between parameters, at \`/docs\`, and as OpenAPI at \`/openapi.json\`. *Needed*:
“yes” means in every request that uses the structure; “when” means under conditions that the error message names.`;

export const parametersPage = (): string => {
  const endpointRows = operations.map(({ method, path, summary, needs }) => [
    code(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
    plainText(summary),
    needs.map(code).join(' '),
  ]);
  return page(
    pageHead('Parameters of the host API', 'src/gateway/spec/parameters', intro),
    '## Operations',
    table(['operation', 'does', 'needs'], endpointRows),
    ...chaptersOf(operations).map(chapterPart),
  );
};

const chapterPart = ({ chapter, rows }: ReferenceChapter): string =>
  `## ${chapter.title}\n\n${table(['parameter', 'is', 'must be', 'needed', 'example'], [...rows].map(line))}`;

const line = ([name, row]: readonly [string, ParameterRow]): string[] => [
  code(name),
  plainText(row.key === undefined ? documentationOf(row) : `${documentationOf(row)} The key is ${row.key.mustBe}.`),
  plainText(row.mustBe),
  required[row.req],
  row.example === '' ? '' : code(row.example),
];
