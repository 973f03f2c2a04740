/** How a sale ended, in Spanish. `{why}` is filled with the facts of the case. */

import { row, translator } from '../../translation.ts';
import type { ReasonsIn } from '../en/reasons.ts';

const called = 'Si tarda más de 15 minutos, se llama a una persona.';
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
  voided: row('Anulado', 'Deshecho: no se mueve dinero.', receipt),
  heldMore: row('Retenido más', 'Retenido en la tarjeta, aún no cobrado.', receipt),
  completed: row('Cobro final hecho', receipt),
  released: row('Retención liberada', 'Ya no hay nada retenido en la tarjeta, y no se cobra nada.', receipt),
  stored: row(
    'Guardado, se envía cuando vuelva la conexión',
    'Llega al banco cuando vuelva la conexión.',
    'Entregue el recibo. Se envía solo.',
  ),
  storedRefused: row(
    'Guardado, y luego rechazado por el banco',
    'No ha ocurrido: el pago al que sigue queda como estaba.',
    manager,
  ),
  nothingToFollow: row(
    'Ya no hay nada que hacer: {why}',
    'No se movió dinero: el pago al que sigue nunca se hizo.',
    'Mire el recibo al que sigue.',
  ),
  voidedBeforeSending: row('Anulado antes de enviarlo al banco', 'No se ha cobrado: el banco nunca lo sabrá.', receipt),
  approvedOffline: row('Aprobado sin conexión', 'Se cobrará cuando vuelva la conexión.', receipt),
  takenOffline: row(
    'Tomado sin conexión, aún no aprobado',
    'Se cobrará cuando vuelva la conexión, si el banco lo aprueba entonces.',
    receipt,
  ),
  holdTakenOffline: row(
    'Tomado sin conexión, aún no aprobado',
    'Se retendrá en la tarjeta cuando vuelva la conexión, si el banco lo aprueba entonces.',
    receipt,
  ),
  heldOffline: row('Aprobado sin conexión', 'Se retendrá en la tarjeta cuando vuelva la conexión.', receipt),
  declinedOnForwarding: row('Tomado sin conexión, y luego rechazado por el banco', goodsLeft, manager),
  declinedByHost: row('Rechazado', otherCard),
  refusedByHost: row('La pasarela no aceptó la solicitud: {why}', 'Haga revisar la configuración de la caja.'),
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
  cardPulledAfterApproval: row('La tarjeta se retiró, o se perdió el terminal, antes de terminar el pago', leaveIn),
  cancelledByTill: row('Cancelado en la caja', whenReady),
  cancelledAfterApproval: row('Cancelado en la caja', whenReady),
  cancelledByCustomer: row('Cancelado por el cliente', 'Pregunte al cliente cómo seguir.'),
  pinCancelled: row('No se introdujo ningún PIN', 'Empiece de nuevo, o pida otra tarjeta.'),
  timedOut: row('No se presentó ninguna tarjeta a tiempo', 'Empiece de nuevo cuando el cliente esté listo.'),
  cardUnsupported: row('Esta tarjeta no se admite', otherCard),
  cardUnreadable: row('La tarjeta no se puede leer', 'Inténtelo de nuevo, o pida otra tarjeta.'),
  terminalFailed: row('El terminal falló: {why}', 'Revise el terminal y empiece de nuevo.'),
  offlineRefused: row(
    'No se llega a la pasarela, y este pago no se puede hacer sin conexión: {why}',
    'Inténtelo cuando vuelva la conexión, o cobre en efectivo.',
  ),
  unanswered: row(
    'La pasarela no respondió',
    `Desconocido. Se está preguntando, y si se cobró se devuelve. ${called}`,
    'No cobre otra vez hasta que este pago esté aclarado.',
  ),
  reversed: row('La pasarela no respondió a tiempo; lo que había aprobado se ha devuelto', again),
  neverArrived: row('La solicitud nunca llegó a la pasarela', again),
  restarted: row('La caja se reinició antes de terminar el pago', again),
  restartedAfterApproval: row('La caja se reinició antes de terminar el pago', again),
  declinedAtTerminal: row('Rechazado en el terminal', otherCard),
  notBegunAtTerminal: row('El terminal no empezó: {why}', 'Mire el terminal y empiece de nuevo.'),
  neverMade: row('El terminal se perdió, y ahora dice que no hizo ningún pago', again),
  unansweredAtTerminal: row(
    'El terminal se perdió antes de decir el resultado',
    `Desconocido. Se pregunta al terminal antes del próximo pago. ${called}`,
    'No cobre otra vez. Lea el resultado en el terminal y conéctelo de nuevo.',
  ),
  unclearAtTerminal: row(
    'El terminal no sabe decir qué fue del pago: {why}',
    'Desconocido. Puede haberse cobrado.',
    'Búsquelo en el diario del terminal antes de cobrar otra vez, y avise al encargado.',
  ),
  approvedOtherAmount: row(
    'El terminal aprobó otro importe',
    `No se ha cobrado: lo aprobado se devuelve solo. ${called}`,
    'Haga revisar el terminal antes de empezar de nuevo.',
  ),
  refundedOtherAmount: row(
    'El terminal devolvió otro importe',
    'Se devolvió el importe del recibo del terminal, no este.',
    manager,
  ),
  reversedAtTerminal: row('Devuelto: el terminal retiró su pago', 'No se ha cobrado al cliente.', receipt),
  reversalDeclined: row(
    'El terminal no retira su pago: {why}',
    'Empiece de nuevo la devolución: se hará con la tarjeta del cliente en el terminal.',
  ),
  otherTerminal: row(
    'El pago se hizo en otro terminal, y solo ese puede retirarlo',
    'Empiece de nuevo la devolución: se hará con la tarjeta del cliente en este terminal.',
  ),
  reversalRefused: row(
    'El terminal había aprobado y no lo retira: {why}',
    'Devuelva el dinero: haga la devolución de este recibo con la tarjeta del cliente.',
  ),
  personSaidDone: row('Comprobado: se hizo', 'El dinero se movió como se pidió.', receipt),
  approvedLate: row(
    'El banco aprobó tarde, cuando el pago ya había terminado como no enviado',
    'Avise al encargado si el cliente pregunta.',
  ),
  cardDataExpired: row(
    'Tomado sin conexión y no enviado en {why}: hubo que destruir los datos de la tarjeta',
    goodsLeft,
    'Avise al encargado: esto es una pérdida.',
  ),
  newerVersion: row(
    'Una versión más nueva de este programa escribió algo que esta no puede leer: {why}',
    'Esta versión no puede decir qué fue de él. No cambia nada ni envía nada de él.',
    'Inicie la versión más nueva: ella continúa con este pago. Todos los demás siguen aquí.',
  ),
  personSaidNot: row('Comprobado: no se hizo tal pago', again),
});
