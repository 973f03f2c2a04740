/** GET /v1/payments/{id}, and GET /v1/query/{id}, which answers the same. */
import { authentication } from '../parameters/authentication.ts';
import { paymentAnswer, refusal } from '../response.ts';
import { endOf, endpoint } from './endpoint.ts';

const reading = (path: string, says: string) =>
  endpoint(
    { method: 'GET', path, says, accepts: authentication, needs: ['entityId'], rules: [] },
    async ({ processing }, call) => {
      const payment = await processing.look(call.id ?? '');
      if (payment === undefined || payment.entityId !== call.channel.entityId) {
        return refusal({ code: '700.400.580', status: 404 }, endOf(call));
      }
      return paymentAnswer(payment);
    },
  );

export const read = reading('/v1/payments/:id', 'One payment as it stands.');
export const queryById = reading('/v1/query/:id', 'One payment as it stands, found by its id.');
