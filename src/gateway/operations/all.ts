/** Every endpoint of the host API that takes parameters. */
import { createCheckout } from './checkout-create.ts';
import { checkoutPayment, checkoutRegistration } from './checkout-status.ts';
import { submitPayment, submitRegistration } from './checkout-submit.ts';
import { updateCheckout } from './checkout-update.ts';
import { checkoutWidget } from './checkout-widget.ts';
import type { Endpoint } from './endpoint.ts';
import { pay } from './pay.ts';
import { payStored } from './pay-stored.ts';
import { query, queryV3 } from './query.ts';
import { queryById, queryByIdV3, read } from './read.ts';
import { aggregation, aggregationPaged, aggregations } from './reconciliations.ts';
import { refer } from './refer.ts';
import { register } from './register.ts';
import { deregister, extendRegistration, readRegistration } from './registration.ts';
import { schedule } from './schedule.ts';
import { descheduleByDelete, descheduleByPost, readSchedules, reschedule } from './schedule-chain.ts';
import { authenticate, readAuthentication } from './three-d-secure.ts';
import { changeWebhook, createWebhook, listWebhooks, readWebhook, removeWebhook } from './webhook.ts';

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
