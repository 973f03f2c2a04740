/** Receipts in every form, and the printers. */
import { Hono } from 'hono';
import * as z from 'zod';
import { type Env, may } from '../actor.ts';
import { body, name, query } from '../checked.ts';
import { mayOpen, type OwnSalesPort } from '../own-sales.ts';
import { permissionToChange } from '../ports/configuration.ts';
import type { PaperPort, ReceiptAsk } from '../ports/paper.ts';
import type { Sessions } from '../ports/session.ts';

const ask = {
  copy: z.enum(['customer', 'merchant']).default('customer'),
  width: z.coerce
    .number()
    .pipe(z.union([z.literal(58), z.literal(80)]))
    .default(80),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/)
    .optional(),
};
const receiptQuery = z.object({
  ...ask,
  form: z.enum(['text', 'svg', 'pdf', 'escpos', 'receiptline', 'email']).default('text'),
  duplicate: z.enum(['true', 'false']).optional(),
});
const printBody = z.strictObject({ ...ask, duplicate: z.boolean().optional() });
/** A report's lines as the till gave them, at most of 80 mm paper. */
const reportBody = z.strictObject({ lines: z.array(z.string().max(64)).min(1).max(2_000) });
const printer = z.strictObject({
  name,
  address: z.string().min(1).max(200),
  width: z.union([z.literal(58), z.literal(80)]),
  codePage: z.string().max(20).optional(),
  drawer: z.boolean().optional(),
});

export const paperRoutes = (service: PaperPort, sessions: Sessions, selling: OwnSalesPort) => {
  const open = mayOpen(selling, sessions);
  const setUp = may(permissionToChange('printers'), sessions);
  return new Hono<Env>()
    .get('/sales/:receipt{[0-9]{1,9}}/receipt', query(receiptQuery), open, async (c) => {
      const { form, duplicate, ...asked } = c.req.valid('query');
      const wanted = { ...asked, duplicate: duplicate === 'true' || undefined } as ReceiptAsk;
      const { type, name: file, body: bytes } = await service.receipt(Number(c.req.param('receipt')), form, wanted);
      return new Response(bytes as Uint8Array<ArrayBuffer>, {
        headers: { 'content-type': type, 'content-disposition': `inline; filename="${file}"` },
      });
    })
    .post('/sales/:receipt{[0-9]{1,9}}/print', body(printBody), open, async (c) =>
      c.json(await service.print(Number(c.req.param('receipt')), c.req.valid('json'))),
    )
    .get('/printers', async (c) => c.json(await service.printers()))
    .post('/printers', setUp, body(printer), async (c) =>
      c.json(await service.addPrinter(c.req.valid('json'), c.get('actor')), 201),
    )
    .delete('/printers/:name', setUp, (c) => {
      service.removePrinter(c.req.param('name'), c.get('actor'));
      return c.body(null, 204);
    })
    .post('/printers/:name/test', may('diagnose', sessions), async (c) =>
      c.json(await service.testPage(c.req.param('name'))),
    )
    .post('/reports/print', may('seeAll', sessions), body(reportBody), async (c) =>
      c.json(await service.printReport(c.req.valid('json').lines)),
    )
    .post('/drawer', may('sell', sessions), async (c) => c.json(await service.openDrawer(c.get('actor'))));
};
