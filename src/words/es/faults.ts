/** What went wrong, in Spanish. `{name}` is filled with the facts of the case. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';
import { faultsOfBooks } from './faults-books.ts';
import { faultsOfDevices } from './faults-devices.ts';

const nothing = 'No se ha cobrado nada.';
const unchanged = 'No se cambió nada.';
const undone = 'No se hizo nada.';

export const faults: SaidTables['faults'] = {
  ...faultsOfBooks,
  ...faultsOfDevices,
  'till.away': row(
    'El programa de la caja no responde',
    'Un pago en curso sigue solo y no se pierde.',
    'Espere un momento: esta página se conecta de nuevo sola.',
  ),
  'program.failed': row(
    'Algo imprevisto ha salido mal: «{why}»',
    'Lo que se anotó está a salvo.',
    'Empiece de nuevo: la caja termina sola los pagos abiertos. Diga al soporte qué estaba haciendo.',
  ),
  'session.needed': row('Nadie ha entrado', undone, 'Entre e inténtelo de nuevo. Un pago en curso sigue solo.'),
  'session.code': row(
    'Este código no abre la caja, o ya no la abre',
    unchanged,
    'Use la dirección que la caja mostró en su último inicio. Cuando haya personas añadidas, entre con su nombre.',
  ),
  'session.pinNeeded': row('Esto se firma con un PIN: {what}', undone, 'Ponga su PIN para ello.'),
  'session.notAllowed': row('{who} no puede hacer esto: {what}', undone, 'Pida a un encargado que ponga su PIN.'),
  'text.cardData': row(
    'Lo escrito contiene datos de tarjeta, que la caja no guarda en ningún sitio sin cifrar: {where}',
    undone,
    'Quite el número de la tarjeta, su código de seguridad y los datos de su banda, e inténtelo de nuevo.',
  ),
  'request.malformed': row('Los datos no son como deben ser: «{why}»', undone, 'Corríjalos e inténtelo de nuevo.'),
  'request.foreign': row(
    'La solicitud fue rechazada: «{why}»',
    undone,
    'Abra la página propia de la caja y entre allí.',
  ),
  'staff.refused': row(
    'El nombre o el PIN no es correcto',
    unchanged,
    'Inténtelo de nuevo. Tras cinco intentos incorrectos hay uno más por minuto.',
  ),
  'staff.locked': row(
    'Se han probado demasiados PIN incorrectos. Minutos hasta el próximo intento: {minutes}',
    unchanged,
    'Espere e inténtelo de nuevo. En un navegador en el que ha entrado un encargado no cuentan los intentos incorrectos hechos en otro sitio.',
  ),
  'staff.notAllowed': row('{name} no puede hacer eso aquí', undone, 'Pídalo a alguien que pueda.'),
  'staff.pinWeak': row('Este PIN no se acepta: «{why}»', unchanged, 'Elija otro de 4 a 12 cifras.'),
  'staff.name': row(
    'Un nombre tiene de 1 a 40 letras, espacios, puntos o guiones',
    unchanged,
    'Corríjalo e inténtelo de nuevo.',
  ),
  'staff.known': row('{name} ya es conocido aquí', unchanged, 'Elija otro nombre, o quite primero a esa persona.'),
  'staff.newer': row(
    'Una versión más nueva de este programa escribió sobre el personal algo que esta no puede leer: {what}',
    'No se cambió nada. Todos entran como antes.',
    'Inicie la versión más nueva y cambie el personal allí.',
  ),
  'staff.lastManager': row('{name} es el único encargado de esta caja', unchanged, 'Añada primero otro encargado.'),
  'till.notFound': row(
    'No hay ningún pago con el número de recibo {receipt}',
    undone,
    'Compruebe el número en el recibo.',
  ),
  'events.elsewhere': row(
    'La caja no conoce el evento a partir del cual debe seguir: lo comunicó otra caja, o esta copia lo ha perdido',
    unchanged,
    'Lea de nuevo las listas de cobros y escuche después a partir de {here}.',
  ),
  'events.tooOld': row(
    'El evento a partir del cual la caja debe seguir es demasiado antiguo: lo que vino después no se comunica otra vez',
    unchanged,
    'Lea de nuevo las listas de cobros y escuche después a partir de {here}.',
  ),
  'receipt.elsewhere': row(
    'El recibo {receipt} es de otra caja: el terminal {terminalId} hizo ese cobro',
    'No se devolvió nada.',
    'Búsquelo en la caja cuyos recibos llevan el terminal {terminalId}. Solo ella puede devolver el dinero.',
  ),
  'receipt.unknown': row(
    'Este código no es de ningún pago de esta caja',
    'No se devolvió nada.',
    'Lea el número de terminal en el recibo y búsquelo en esa caja. Esta caja tiene el número {terminalId}.',
  ),
  'receipt.notYet': row(
    'El pago del recibo {receipt} no ha terminado todavía: aún no tiene recibo',
    'Su final dirá si se cobra. No le pasa nada malo.',
    'Pida el recibo otra vez cuando el pago haya terminado.',
  ),
  'till.nothingLeft': row(
    'En el recibo {receipt} no queda nada que devolver: «{why}»',
    'No se devolvió nada.',
    'Mire el pago.',
  ),
  'unpaid.none': row('Del recibo {receipt} no hay nada sin pagar', 'Queda como está.', 'Mire la venta.'),
  'unpaid.underWay': row(
    'El recibo {receipt} ya se cobra de nuevo, con el recibo {again}',
    'Esa venta aún no tiene final: pedida otra vez, el cliente podría pagar dos veces.',
    'Espere su final.',
  ),
  'unpaid.tooMuch': row(
    'Del recibo {receipt} hay {missing} sin pagar, y se iban a cobrar {amount}',
    nothing,
    'Cobre lo que está sin pagar, o menos.',
  ),
  'unpaid.cardSpent': row(
    'La marca de la tarjeta no permite más intentos con el recibo {receipt}',
    nothing,
    'Pida al cliente que pague de otra forma y diga después que el recibo se liquidó de otra forma.',
  ),
  'unpaid.notYet': row(
    'La marca de la tarjeta permite el próximo intento con el recibo {receipt} desde {from}',
    nothing,
    'Inténtelo entonces, o pida al cliente que pague de otra forma.',
  ),
  'till.refundTooHigh': row(
    'En el recibo {receipt} se pueden devolver como máximo {left}',
    nothing,
    'Devuelva eso o menos.',
  ),
  'till.cannotFollow': row(
    'Esto no puede seguir al recibo {receipt} ({operation}): «{why}»',
    'No se movió dinero. El recibo {receipt} queda como estaba.',
    'Mire el pago.',
  ),
  'till.unresolved': row(
    'El pago {sale} sigue siendo desconocido',
    'Puede haberse cobrado. Se está preguntando.',
    'No cobre otra vez. Espere a la pasarela, o llame al encargado.',
  ),
  'amount.malformed': row('«{text}» no es un importe en {currency}: «{why}»', nothing, 'Escríbalo como 12.50.'),
  'amount.unpositive': row('Un importe de {amount} no se puede cobrar ni devolver', nothing, 'Ponga más que cero.'),
  'books.newer': row(
    'Una versión más nueva de este programa escribió sobre el lote {batch} algo que esta no puede leer: {what}',
    'No se contó ni se cerró nada. Los pagos siguen y quedan en ese lote.',
    'Inicie la versión más nueva y cierre el lote allí.',
  ),
  'books.nothingToClose': row(
    'No hay nada que cerrar: no se empezó ningún pago desde el último cierre',
    unchanged,
    'Mire los lotes cerrados.',
  ),
};
