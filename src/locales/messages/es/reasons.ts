/** How a sale ended, in Spanish. `{why}` is filled with the facts of the case. */

import { row, translator } from '../../translation.ts';
import type { ReasonsIn } from '../en/reasons.ts';

const called = 'Si tarda más de 15 minutos, la caja pide que una persona lo revise.';
const receipt = 'Entregue el recibo.';
const otherCard = 'Pida otra tarjeta.';
const again = 'Empiece de nuevo.';
const manager = 'Avise al encargado.';
const leaveIn = 'Empiece de nuevo y deje la tarjeta puesta.';
const whenReady = 'Empiece de nuevo cuando todo esté listo.';
const goodsLeft = 'No se ha cobrado, aunque la mercancía ya ha salido.';

export const reasons = translator<ReasonsIn>()('es', {
  approved: row('Aprobado', receipt),
  refunded: row('Devuelto', 'El dinero vuelve a la tarjeta.', receipt),
  held: row(
    'Importe retenido',
    'Retenido en la tarjeta, aún no cobrado.',
    'Entregue el recibo. Cóbrelo con este número de recibo cuando se sepa el importe.',
  ),
  credited: row('Abonado', 'El dinero va a la tarjeta.', receipt),
  voided: row('Anulado', 'No se cobrará al cliente.', receipt),
  heldMore: row('Retención ampliada', 'Retenido en la tarjeta, aún no cobrado.', receipt),
  completed: row('Cobro final hecho', receipt),
  released: row('Retención liberada', 'Ya no hay nada retenido en la tarjeta, y no se cobra nada.', receipt),
  stored: row(
    'Guardado hasta que vuelva la conexión',
    'La caja lo envía al banco cuando vuelva la conexión.',
    'Entregue el recibo. La caja lo envía automáticamente.',
  ),
  storedRefused: row('Guardado, y luego rechazado por el banco', 'No realizado: el pago original no cambia.', manager),
  nothingToFollow: row(
    'Ya no hay nada que hacer: {why}',
    'No se movió dinero: el pago original nunca se hizo.',
    'Mire el recibo del pago original.',
  ),
  voidedBeforeSending: row('Anulado antes de enviarlo al banco', 'No se ha cobrado: no se enviará al banco.', receipt),
  approvedOffline: row('Aprobado sin conexión', 'Se cobrará cuando vuelva la conexión.', receipt),
  takenOffline: row(
    'Registrado sin conexión, aún no aprobado',
    'Se cobrará cuando vuelva la conexión, si el banco lo aprueba.',
    receipt,
  ),
  holdTakenOffline: row(
    'Registrado sin conexión, aún no aprobado',
    'Se retendrá en la tarjeta cuando vuelva la conexión, si el banco lo aprueba.',
    receipt,
  ),
  heldOffline: row('Aprobado sin conexión', 'Se retendrá en la tarjeta cuando vuelva la conexión.', receipt),
  declinedOnForwarding: row('Registrado sin conexión, y luego rechazado por el banco', goodsLeft, manager),
  declinedByHost: row('Rechazado', otherCard),
  refusedByHost: row('La pasarela rechazó la solicitud: {why}', 'Haga revisar la configuración de la caja.'),
  testAnswer: row(
    'Esta caja está en modo real, pero su pasarela respondió en modo de prueba',
    'No acepte más tarjetas aquí. Un encargado tiene que corregir la dirección y el canal de la pasarela.',
  ),
  liveAnswer: row(
    'Esta caja está en modo de prueba, pero su pasarela está en modo real',
    'No acepte más tarjetas aquí. Un encargado puede pasar la caja a modo real o darle un canal de prueba.',
  ),
  declinedByChip: row('Rechazado por la tarjeta', otherCard),
  chipRefusedApproval: row('El banco aprobó, y después la tarjeta rechazó', otherCard),
  cardPulled: row('La tarjeta se retiró demasiado pronto', leaveIn),
  cardPulledAfterApproval: row(
    'Se retiró la tarjeta, o se perdió la conexión con el terminal, antes de terminar el pago',
    leaveIn,
  ),
  cancelledByTill: row('Cancelado en la caja', whenReady),
  cancelledAfterApproval: row('Cancelado en la caja', whenReady),
  cancelledByCustomer: row('Cancelado por el cliente', 'Pregunte al cliente cómo seguir.'),
  pinCancelled: row('No se introdujo ningún PIN', 'Empiece de nuevo, o pida otra tarjeta.'),
  timedOut: row('No se presentó ninguna tarjeta a tiempo', 'Empiece de nuevo cuando el cliente esté listo.'),
  cardUnsupported: row('Esta tarjeta no se admite', otherCard),
  cardUnreadable: row('La tarjeta no se puede leer', 'Inténtelo de nuevo, o pida otra tarjeta.'),
  terminalFailed: row('Error del terminal: {why}', 'Revise el terminal y empiece de nuevo.'),
  offlineRefused: row(
    'No se puede conectar con la pasarela, y este pago no se puede aceptar sin conexión: {why}',
    'Inténtelo de nuevo cuando vuelva la conexión, o cobre en efectivo.',
  ),
  unanswered: row(
    'La pasarela no respondió',
    `Aún no se sabe. La caja lo está comprobando y anulará el pago si se cobró. ${called}`,
    'No cobre otra vez hasta que se aclare este pago.',
  ),
  reversed: row('La pasarela no respondió a tiempo, y su aprobación se anuló', again),
  neverArrived: row('La solicitud nunca llegó a la pasarela', again),
  restarted: row('La caja se reinició antes de terminar el pago', again),
  restartedAfterApproval: row('La caja se reinició antes de terminar el pago', again),
  declinedAtTerminal: row('Rechazado en el terminal', otherCard),
  notBegunAtTerminal: row('El terminal no inició el pago: {why}', 'Mire el terminal y empiece de nuevo.'),
  neverMade: row('Se perdió la conexión con el terminal; ahora indica que no hizo ningún pago', again),
  unansweredAtTerminal: row(
    'Se perdió la conexión con el terminal antes de que diera el resultado',
    `Aún no se sabe. La caja pregunta al terminal antes del próximo pago. ${called}`,
    'No cobre otra vez. Lea el resultado en el terminal y conéctelo de nuevo.',
  ),
  unclearAtTerminal: row(
    'El terminal no sabe cómo terminó el pago: {why}',
    'No se sabe. Puede que se haya cobrado al cliente.',
    'Busque el pago en el diario del terminal antes de cobrar otra vez, y avise al encargado.',
  ),
  approvedOtherAmount: row(
    'El terminal aprobó otro importe',
    `No se ha cobrado: la caja está anulando el importe aprobado. ${called}`,
    'Haga revisar el terminal antes de empezar de nuevo.',
  ),
  refundedOtherAmount: row(
    'El terminal devolvió otro importe',
    'Se devolvió el importe del recibo del terminal, no este.',
    manager,
  ),
  reversedAtTerminal: row('Anulado por el terminal', 'No se ha cobrado al cliente.', receipt),
  reversalDeclined: row(
    'El terminal no anuló su pago: {why}',
    'Empiece de nuevo la devolución: se hará con la tarjeta del cliente en el terminal.',
  ),
  otherTerminal: row(
    'El pago se hizo en otro terminal, y solo ese puede anularlo',
    'Empiece de nuevo la devolución: se hará con la tarjeta del cliente en este terminal.',
  ),
  reversalRefused: row(
    'El terminal aprobó el pago, pero no lo anuló: {why}',
    'Haga la devolución de este recibo con la tarjeta del cliente.',
  ),
  personSaidDone: row('Comprobado por una persona: se hizo', 'El dinero se movió como se pidió.', receipt),
  approvedLate: row(
    'El banco aprobó tarde, cuando el pago ya había terminado como no enviado',
    'Avise al encargado si el cliente pregunta.',
  ),
  cardDataExpired: row(
    'Registrado sin conexión y no enviado en {why}: hubo que destruir los datos de la tarjeta',
    goodsLeft,
    'Avise al encargado: esto es una pérdida.',
  ),
  newerVersion: row(
    'Una versión más nueva de este programa escribió algo que esta no puede leer: {why}',
    'Esta versión no sabe cómo terminó el pago. No cambia nada en él ni envía nada de él.',
    'Inicie la versión más nueva: ella continúa con este pago. Todos los demás siguen aquí.',
  ),
  personSaidNot: row('Comprobado por una persona: no se hizo', again),
});
