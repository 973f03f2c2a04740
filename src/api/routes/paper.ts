/** Receipts in every form, and the printers. */
import { Hono } from 'hono';
import * as z from 'zod';
import { type Env, may } from '../actor.ts';
import { answer, answers, answersFiles, inMode } from '../answers.ts';
import { body, query } from '../checked.ts';
import {
  finishedSaleInMode,
  outcomeQuery,
  printerRequest,
  printerState,
  printRequest,
  receiptQuery,
  reportRequest,
} from '../contract/paper.ts';
import { permissionToChange } from '../contract/roles.ts';
import { mayOpen, type OwnSalesPort } from '../own-sales.ts';
import type { PaperPort } from '../ports/paper.ts';
import type { Sessions } from '../ports/session.ts';

const receiptMedia = ['text/plain', 'image/svg+xml', 'application/pdf', 'application/octet-stream', 'message/rfc822'];

export const paperRoutes = (service: PaperPort, sessions: Sessions, selling: OwnSalesPort) => {
  const open = mayOpen(selling, sessions);
  const setUp = may(permissionToChange('printers'), sessions);
  return new Hono<Env>()
    .get('/sales/:receipt{[0-9]{1,9}}/receipt', query(receiptQuery), open, answersFiles(...receiptMedia), async (c) => {
      const { form, duplicate, ...rest } = c.req.valid('query');
      const receiptAsk = { ...rest, duplicate: duplicate === 'true' || undefined };
      const { type, name: file, body: bytes } = await service.receipt(Number(c.req.param('receipt')), form, receiptAsk);
      return new Response(bytes as Uint8Array<ArrayBuffer>, {
        headers: { 'content-type': type, 'content-disposition': `inline; filename="${file}"` },
      });
    })
    .get('/sales/:receipt{[0-9]{1,9}}/outcome', query(outcomeQuery), open, answers(finishedSaleInMode), (c) => {
      const { copy, width, duplicate } = c.req.valid('query');
      const printed = copy && { copy, width, duplicate: duplicate === 'true' || undefined };
      return answer(c, inMode(c, service.outcome(Number(c.req.param('receipt')), printed)));
    })
    .post('/sales/:receipt{[0-9]{1,9}}/print', body(printRequest), open, answers(printerState), async (c) =>
      answer(c, await service.print(Number(c.req.param('receipt')), c.req.valid('json'))),
    )
    .get('/printers', answers(z.array(printerState)), async (c) => answer(c, await service.printers()))
    .post('/printers', setUp, body(printerRequest), answers(printerState), async (c) =>
      answer(c, await service.addPrinter(c.req.valid('json'), c.get('actor')), 201),
    )
    .delete('/printers/:name', setUp, (c) => {
      service.removePrinter(c.req.param('name'), c.get('actor'));
      return c.body(null, 204);
    })
    .post('/printers/:name/test', may('diagnose', sessions), answers(printerState), async (c) =>
      answer(c, await service.testPage(c.req.param('name'))),
    )
    .post('/reports/print', may('seeAll', sessions), body(reportRequest), answers(printerState), async (c) =>
      answer(c, await service.printReport(c.req.valid('json').lines)),
    )
    .post('/drawer', may('sell', sessions), answers(printerState), async (c) =>
      answer(c, await service.openDrawer(c.get('actor'))),
    );
};
