/** Every endpoint of the host API that takes parameters. */
import { createCheckout, updateCheckout } from '../checkout/endpoints/checkout.ts';
import { checkoutPayment, checkoutRegistration, checkoutWidget } from '../checkout/endpoints/status.ts';
import { submitPayment, submitRegistration } from '../checkout/endpoints/submit.ts';
import type { Endpoint } from '../payments/endpoint.ts';
import { pay } from '../payments/pay.ts';
import { query, queryById, queryByIdV3, queryV3, read } from '../payments/query.ts';
import { refer } from '../payments/refer.ts';
import { payStored } from '../registrations/pay-stored.ts';
import { register } from '../registrations/register.ts';
import { deregister, extendRegistration, readRegistration } from '../registrations/registration.ts';
import { aggregation, aggregationPaged, aggregations } from '../reports/endpoints/reconciliations.ts';
import { descheduleByDelete, descheduleByPost, readSchedules, reschedule } from '../schedules/endpoints/chain.ts';
import { schedule } from '../schedules/endpoints/schedule.ts';
import { authenticate, readAuthentication } from '../threeds/endpoints/three-d-secure.ts';
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
} from '../webhooks/endpoints/webhook.ts';

export const endpoints: readonly Endpoint[] = [
  pay,
  refer,
  read,
  register,
  payStored,
  readRegistration,
  extendRegistration,
  deregister,
  query,
  queryById,
  queryV3,
  queryByIdV3,
  createCheckout,
  updateCheckout,
  submitPayment,
  submitRegistration,
  checkoutPayment,
  checkoutRegistration,
  checkoutWidget,
  schedule,
  reschedule,
  descheduleByPost,
  descheduleByDelete,
  readSchedules,
  aggregations,
  aggregation,
  aggregationPaged,
  createWebhook,
  listWebhooks,
  readWebhook,
  changeWebhook,
  removeWebhook,
  authenticate,
  readAuthentication,
];
