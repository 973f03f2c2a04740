/** What describes the API, made from its tables: /openapi.json for tools, /docs for people. */
import type { Hono } from 'hono';
import type { ApiOperation } from '../../spec/operation.ts';
import type { Reaching } from './routes.ts';
import { securityHeaders } from './security-headers.ts';

/** Both are made when somebody asks for the first time, and what makes them is loaded then. */
export const addDocuments = (app: Hono<Reaching>, operations: readonly ApiOperation[]): void => {
  const openApi = once(async () => {
    const { openApiOf } = await import('../documents/openapi.ts');
    return JSON.stringify(openApiOf(operations, { title: 'Tillgate host API', version: '1' }));
  });
  const reference = once(async () => {
    const { referenceHeaders, referencePage } = await import('../documents/reference.ts');
    return { text: referencePage(operations), headers: referenceHeaders };
  });
  app.get('/openapi.json', async () => {
    const headers = { ...securityHeaders, 'content-type': 'application/json;charset=UTF-8' };
    return new Response(await openApi(), { headers });
  });
  app.get('/docs', async () => {
    const { text, headers } = await reference();
    return new Response(text, { headers: { ...securityHeaders, ...headers } });
  });
};

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
