/** The journal's seal and second copy, and unsent sales that one till handed over to another. */
import { Hono } from 'hono';
import * as z from 'zod';
import { type Env, may, twoPeople } from '../actor.ts';
import { answer, answers, answersLines, eachInMode, inMode, lines } from '../answers.ts';
import { body } from '../checked.ts';
import {
  exportedJournal,
  exportRequest,
  importedUnsentInMode,
  importRequest,
  journalEntry,
  sealedAnswer,
  secondCopyAnswer,
  sentTakenOver,
  takeBackRequest,
  takenBackAnswer,
  takenOverRowInMode,
  unsentExportInMode,
} from '../contract/recovery.ts';
import type { TakeoverPort } from '../ports/recovery.ts';
import type { Sessions } from '../ports/session.ts';

export const takeoverRoutes = (service: TakeoverPort, sessions: Sessions) => {
  const see = may('seeAll', sessions);
  return new Hono<Env>()
    .get('/journal/copy', see, answers(secondCopyAnswer), async (c) => answer(c, inMode(c, await service.secondCopy())))
    .get('/journal/entries', may('exportJournal', sessions), answersLines(journalEntry, exportedJournal), (c) =>
      lines(c, (send) => service.exportJournal(send)),
    )
    .post('/journal/seal', see, answers(sealedAnswer), (c) => answer(c, inMode(c, service.seal())))
    .post(
      '/journal/exports',
      body(exportRequest),
      twoPeople('exportJournal', sessions),
      answers(unsentExportInMode),
      async (c) => {
        const prepared = await service.prepareExport(c.req.valid('json').passphrases, c.get('signedBy') ?? []);
        return answer(c, inMode(c, prepared), 201);
      },
    )
    .post('/journal/exports/:id/confirmation', may('exportJournal', sessions), (c) => {
      service.confirmExport(c.req.param('id'));
      return c.body(null, 204);
    })
    .post(
      '/taken-over',
      body(importRequest),
      twoPeople('importJournal', sessions),
      answers(importedUnsentInMode),
      async (c) => answer(c, inMode(c, await service.importUnsent(c.req.valid('json'), c.get('signedBy') ?? [])), 201),
    )
    .get('/taken-over', see, answers(z.array(takenOverRowInMode)), (c) => answer(c, eachInMode(c, service.takenOver())))
    .post('/taken-over/send', see, answers(sentTakenOver), async (c) =>
      answer(c, inMode(c, await service.sendTakenOver())),
    )
    .post('/taken-over/back', body(takeBackRequest), may('exportJournal', sessions), answers(takenBackAnswer), (c) =>
      answer(c, inMode(c, service.takeBack(c.get('actor'), c.req.valid('json').exportId))),
    );
};
