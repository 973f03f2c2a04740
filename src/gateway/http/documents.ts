/** What describes the API, made from its tables: /openapi.json for tools, /docs for people. */
import type { Hono } from 'hono';
import { openApiOf } from '../documents/openapi.ts';
import { referenceHeaders, referencePage } from '../documents/reference.ts';
import { endpoints } from '../operations/all.ts';
import { securityHeaders } from './security-headers.ts';

/** Both are made when somebody asks for the first time. */
export const addDocuments = (app: Hono): void => {
  const operations = endpoints.map(({ operation }) => operation);
  const openApi = once(() => JSON.stringify(openApiOf(operations, { title: 'Tillgate host API', version: '1' })));
  const page = once(() => referencePage(operations));
  app.get('/openapi.json', () => {
    const headers = { ...securityHeaders, 'content-type': 'application/json;charset=UTF-8' };
    return new Response(openApi(), { headers });
  });
  app.get('/docs', () => new Response(page(), { headers: { ...securityHeaders, ...referenceHeaders } }));
};

const once = (make: () => string): (() => string) => {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
