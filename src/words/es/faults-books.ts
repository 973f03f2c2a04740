/** What went wrong with payments, books, people and settings, in Spanish. `{name}` is filled with the facts. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';

const nothing = 'No se ha cobrado nada.';
const undone = 'No se hizo nada.';
const unchanged = 'No se cambió nada.';
const callSupport = 'Conserve los datos de la caja y llame al soporte.';

export const faultsOfBooks: SaidTables['faults'] = {
  'amount.unrepresentable': row(
    'Un importe de {minor} unidades menores de {currency} no se puede escribir con dos decimales',
    nothing,
    'Redondee a las diez unidades menores más próximas.',
  ),
  'currency.unknown': row('«{text}» no es una moneda ISO 4217', nothing, 'Use un código como EUR.'),
  'currency.differs': row(
    'Un importe en {left} no se puede calcular con uno en {right}',
    nothing,
    'Corríjalo e inténtelo de nuevo.',
  ),
  'file.held': row(
    'Otro programa tiene abierto {file}, y no se pudo escribir',
    unchanged,
    'Espere a que el antivirus, la copia de seguridad o la sincronización terminen, o ciérrelos. Después inténtelo de nuevo.',
  ),
  'folder.unusable': row(
    'No se puede usar la carpeta {path}: «{why}»',
    unchanged,
    'Haga cambiar los permisos de la carpeta, o use otra.',
  ),
  'config.malformed': row(
    'No se puede usar la configuración {file}: «{why}»',
    unchanged,
    'Corríjala e inténtelo de nuevo.',
  ),
  'config.notAllowed': row(
    '{who} no puede cambiar {fields}',
    unchanged,
    'Pida a un encargado que ponga su PIN para ello, o deje estos ajustes como están.',
  ),
  'config.nothingToUndo': row(
    'No se trajo ninguna configuración que se pueda deshacer',
    unchanged,
    'Traiga la que quiera.',
  ),
  'command.malformed': row('Estos datos no pueden ser así: «{why}»', nothing, 'Corríjalos e inténtelo de nuevo.'),
  'journal.corrupt': row(
    'La entrada {entry} del diario no supera su comprobación: «{why}»',
    'No se cambia ni se repara nada. Lo que ocurrió antes de la entrada {entry} es fiable.',
    'Conserve la carpeta {data} y llame al soporte.',
  ),
  'journal.newer': row(
    'El diario en {data} es de la versión {version}; este programa lo conoce hasta la {newest}',
    'No se cambia nada. Lo guardado sigue guardado.',
    'Inicie el programa más nuevo que trabajó por última vez con esta caja.',
  ),
  'journal.unproven': row(
    'Llevar el diario en {data} a la versión {step} habría cambiado lo que contiene la caja',
    'Se deshizo. El diario está como estaba.',
    'Siga con el programa anterior, conserve la carpeta y llame al soporte.',
  ),
  'journal.unreadable': row(
    'El diario en {data} está dañado: «{why}»',
    'No se cambia ni se repara nada. Lo que aún se puede leer se conserva.',
    'Conserve la carpeta {data} y llame al soporte.',
  ),
  'journal.gone': row(
    'El diario {path} ha desaparecido, aunque esta caja se ha usado',
    'En él están los pagos guardados y los asuntos sin terminar.',
    'Restaure la carpeta desde su copia de seguridad. Para empezar de cero, aparte la carpeta entera.',
  ),
  'journal.unwritable': row(
    'No se puede escribir el diario: «{why}»',
    nothing,
    'Libere espacio en el disco o revíselo, y vuelva a iniciar la caja.',
  ),
  'journal.busy': row(
    'Otra caja ya trabaja en {data}: con sus pantallas o como comando',
    nothing,
    'Use sus pantallas, que hacen todo lo que hacen los comandos, o termínela primero con «till stop». Lo ' +
      'que hace continúa.',
  ),
  'secrets.gone': row(
    'Los secretos de la caja {path} han desaparecido o son de otra caja',
    'Sin ellos no se pueden abrir los pagos guardados. Siguen guardados.',
    'Restaure el archivo desde su copia de seguridad.',
  ),
  'secrets.sealed': row(
    '{file} está bajo una clave que guarda el almacén de claves de este equipo',
    unchanged,
    'Abra la ventana propia de la caja.',
  ),
  'till.unrecorded': row(
    'El pago {sale} no se pudo anotar hasta el final: «{why}»',
    'Puede haberse cobrado. La caja lo averigua sola cuando pueda escribir de nuevo.',
    'Libere espacio en el disco o revíselo. Mire este pago antes de cobrar otra vez.',
  ),
  'sale.newer': row(
    'Una versión más nueva de este programa escribió sobre el recibo {receipt} algo que esta no puede leer: {what}',
    'No se movió dinero. El recibo {receipt} queda como está.',
    'Inicie la versión más nueva: ella continúa con este pago. Todos los demás siguen aquí.',
  ),
  'till.nothingOpen': row('El recibo {receipt} no espera a nadie', 'Queda como está.', 'Mire el pago.'),
  'till.heldTooLittle': row(
    'En el recibo {receipt} quedan retenidos como máximo {left}, y se piden {wanted}',
    'No se movió dinero. Lo retenido sigue retenido.',
    'Retenga primero {more} más y haga después el cobro final; o cobre {left} o menos.',
  ),
  'till.amountFixed': row(
    'El importe del recibo {receipt} ya no se puede fijar: ya está fijado, o el pago ha terminado',
    'El pago sigue como estaba.',
    'Mire el pago. Para cobrar otro importe, cancélelo y empiece de nuevo.',
  ),
  'till.stopping': row(
    'La caja se está cerrando',
    undone,
    'Intente lo mismo dentro de diez segundos, y hasta que la caja responda: nada se hace dos veces. ' +
      'Iníciela si no se inicia sola. Un pago en curso se lleva antes a su fin.',
  ),
  'staff.nobody': row(
    'En esta caja aún no se conoce a nadie',
    unchanged,
    'Añada al primer encargado en la página de entrada.',
  ),
  'staff.needed': row(
    'Alguien tiene que responder de esto: «{what}»',
    undone,
    'Entre con su nombre e inténtelo de nuevo.',
  ),
  'staff.unknown': row('Aquí no se conoce a nadie llamado {name}', unchanged, 'Mire en «Personal» a quién se conoce.'),
  'browser.unknown': row(
    'Este navegador no está entre los que muestran los nombres',
    unchanged,
    'Vuelva a leer la lista: puede que alguien ya lo haya quitado.',
  ),
  'staff.firstManager': row(
    'La primera persona de una caja tiene que ser encargado',
    unchanged,
    'Añada primero un encargado.',
  ),
  'queue.held': row(
    'Esta cola ya se está enviando, por {holder}',
    'No se envió nada dos veces.',
    'Espere a que termine.',
  ),
  'queue.nothingWaits': row(
    'Del recibo {receipt} no hay nada que espere el envío',
    'No se envió nada.',
    'Mire en «Pendientes» lo que espera.',
  ),
  'queue.tried': row(
    'El mensaje {id} puede haberse enviado ya: no se puede sacar de la cola',
    'No se cambió nada. Se enviará, o se preguntará por él, cuando le toque.',
    'Espere su respuesta y devuelva entonces el dinero.',
  ),
  'gift.malformed': row(
    'Esto no es un número de tarjeta regalo: «{why}»',
    nothing,
    'Escanéela otra vez, o escriba las cifras de la tarjeta.',
  ),
  'sale.likely': row(
    'Quizá ya se cobró este importe: {amount}, recibo {receipts}, aún no tiene un final conocido',
    'Ahora no se ha cobrado nada. Lo anterior quizá sí se cobró.',
    'Pregunte si es el mismo cliente; si lo es, espere ese final. Si es otro, confírmelo.',
  ),
  'bill.none': row(
    'El recibo {receipt} no es de ninguna cuenta que se pague en varios pagos',
    nothing,
    'Indique un recibo de la cuenta, o cobre como siempre.',
  ),
  'bill.tooMuch': row(
    'De esta cuenta quedan {left} por pagar, y {unknown} más esperan su resultado',
    nothing,
    'Cobre lo que queda, o menos. Lo que espera no se debe cobrar otra vez antes de saber su resultado.',
  ),
  'copy.failed': row(
    'No se puede llevar la segunda copia en {folder}: «{why}»',
    'No se pierde nada: el diario mismo está entero, y las ventas siguen.',
    'Ocúpese de ese disco o carpeta compartida. La copia se pone al día sola.',
  ),
  'seal.broken': row('El registro guardado {id} no se puede abrir', 'No se envió. Sigue guardado.', callSupport),
  'books.unbalanced': row(
    'Las cuentas no cuadran en {amount}: «{why}»',
    'El paso no se anotó. Lo que se anotó antes está a salvo.',
    'No cobre otra vez. Llame al soporte y conserve los datos de la caja.',
  ),
  'books.notFound': row('En esta caja no hay ningún lote {batch}', unchanged, 'Mire los lotes.'),
  'books.openMoney': row(
    'El lote no se puede cerrar: {count} de sus pagos no han terminado: «{amounts}»',
    'Lo que significan para el dinero aún no se sabe o no se ha enviado. No se cerró nada.',
    'Resuelva cada uno como se indica; o cierre de todos modos, con un motivo.',
  ),
  'books.closeWaited': row(
    'El cierre esperó {minutes} minutos un pago en curso, que continúa: recibo {receipts}',
    'No se cerró nada. El pago continúa.',
    'Haga el cierre otra vez cuando el pago haya terminado, o cancélelo en su caja.',
  ),
  'books.closeCancelled': row(
    'El cierre se canceló mientras esperaba un pago en curso: recibo {receipts}',
    'No se cerró nada. El pago continúa.',
    'Haga el cierre otra vez cuando quiera.',
  ),
  'books.gatewaySilent': row(
    'La pasarela no respondió por {count} pagos del lote, así que no se pudo comparar nada',
    'Todos los pagos están en el diario. Los pagos nuevos van al lote siguiente.',
    'Haga el cierre otra vez cuando vuelva la línea: sigue donde se quedó.',
  ),
  'books.overrideMalformed': row(
    'Para cerrar de todos modos falta algo: «{why}»',
    'No se cerró nada.',
    'Entre con su nombre y dé un motivo.',
  ),
  'books.zBroken': row(
    'El informe Z {number} no supera su comprobación: «{why}»',
    'Los pagos mismos están en el diario, que tiene su propia cadena.',
    callSupport,
  ),
  'settlement.notFound': row(
    'No hay ninguna conciliación {id}, o no tiene esa diferencia',
    unchanged,
    'Mire la lista de conciliaciones, o suelte otra vez el archivo de liquidación.',
  ),
  'settlement.unreadable': row(
    'No se puede usar el archivo de liquidación {file}: «{why}»',
    unchanged,
    'Pida otra vez el archivo: CSV en UTF-8, con punto y coma y su línea de encabezado.',
  ),
  'till.reopening': row(
    'La caja se está abriendo de nuevo, y lo que estaba en curso se ha terminado',
    undone,
    'Envíelo otra vez dentro de unos segundos.',
  ),
  'till.occupied': row(
    'La caja todavía no puede abrirse de nuevo: hay una petición en curso',
    undone,
    'No hay que hacer nada: se intenta otra vez automáticamente.',
  ),
  'upload.underWay': row(
    'Todavía se está leyendo otro archivo suyo',
    unchanged,
    'Espere a que termine, o cancele esa carga, y después envíe este archivo.',
  ),
  'upload.stalled': row(
    'La carga se ha terminado: trajo menos de {bytes} bytes en {seconds} s',
    unchanged,
    'Revise la conexión y envíe el archivo otra vez.',
  ),
  'session.changed': row(
    'Alguien ha entrado de nuevo en otra ventana de este navegador',
    undone,
    'Mire quién está dentro ahora, e inténtelo de nuevo.',
  ),
  'posKey.known': row('Ya hay una clave para {name}', unchanged, 'Quítela primero, o elija otro nombre.'),
  'posKey.unknown': row('No hay ninguna clave para {name}', unchanged, 'Mire la lista de claves.'),
  'posKey.full': row(
    'No se creó ninguna clave: esta caja tiene {count} claves y puede tener {most}',
    unchanged,
    'Retire una que ningún programa use ya, y cree la clave después.',
  ),
  'posKey.malformed': row('No se creó ninguna clave: «{why}»', unchanged, 'Corrija los datos e inténtelo de nuevo.'),
  'request.tooLarge': row('La solicitud tiene más de {bytes} bytes', undone, 'Envíe menos de una vez.'),
  'request.unknown': row('No hay nada en {path}', undone, 'Consúltelo en /api/openapi.json.'),
  'request.keyReused': row(
    'La Idempotency-Key ya se usó para otra solicitud',
    'La primera solicitud queda como está; esta no hizo nada.',
    'Use una clave nueva para una solicitud nueva.',
  ),
};
