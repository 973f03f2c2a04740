/** What went wrong with cards, terminals, the line and printers, in Spanish. `{name}` is filled with the facts. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';

const nothing = 'No se ha cobrado nada.';
const unchanged = 'No se cambió nada.';
const undone = 'No se hizo nada.';
const untilAsked = 'Desconocido hasta que la caja haya preguntado.';
const notTheSale = 'El pago no se ve afectado.';
const cardAgain = 'Pruebe la tarjeta otra vez.';

export const faultsOfDevices: SaidTables['faults'] = {
  'hex.malformed': row(
    'Un texto hexadecimal de {length} caracteres está mal formado',
    nothing,
    'Corríjalo e inténtelo de nuevo.',
  ),
  'tlv.malformed': row('Los datos TLV están mal formados en el byte {offset}: «{why}»', nothing, cardAgain),
  'emv.malformed': row('Datos de tarjeta mal formados («{what}»): «{why}»', nothing, cardAgain),
  'key.malformed': row(
    '«{what}» no sirve como clave ni como número de serie de clave: «{why}»',
    nothing,
    'Haga revisar las claves del terminal.',
  ),
  'key.exhausted': row(
    'La clave con número de serie {ksn} está agotada',
    nothing,
    'Haga cargar claves nuevas en el terminal.',
  ),
  'pin.block': row(
    'El bloque de PIN no tiene el formato {format}: «{why}»',
    nothing,
    'Pida que se introduzca el PIN otra vez.',
  ),
  'link.unavailable': row(
    'No se puede abrir el puerto {port}: «{why}»',
    nothing,
    'Compruebe el cable y que ningún otro programa ocupe el puerto.',
  ),
  'link.lost': row(
    'Se perdió la conexión con el terminal en {port}: «{why}»',
    untilAsked,
    'Compruebe el cable. La caja pregunta sola a la pasarela.',
  ),
  'terminal.silent': row(
    'El terminal no respondió a «{command}» en {ms} ms',
    untilAsked,
    'Compruebe el terminal. La caja pregunta sola a la pasarela.',
  ),
  'terminal.garbled': row(
    'El terminal envió {bytes} bytes que no son una respuesta',
    untilAsked,
    'Compruebe el cable y el modelo del terminal.',
  ),
  'terminal.stray': row(
    'El terminal envió una respuesta de {bytes} bytes que nadie espera',
    'No se hizo nada con ella.',
    'Nada. Si ocurre a menudo, haga revisar el terminal.',
  ),
  'terminal.strays': row(
    'El terminal envió {count} mensajes más que nadie espera',
    'No se hizo nada con ninguno.',
    'Haga revisar el terminal.',
  ),
  'terminal.refused': row(
    'El terminal rechazó «{command}» con el estado {status}: «{why}»',
    nothing,
    'Inténtelo de nuevo; si vuelve a ocurrir, reinicie el terminal.',
  ),
  'terminal.unclear': row(
    'El terminal terminó «{command}» con {status}: «{why}»',
    untilAsked,
    'No cobre otra vez. La caja pregunta sola al terminal.',
  ),
  'terminal.busy': row('El terminal está ocupado: «{command}»', nothing, 'Espere a que termine, o cancélelo.'),
  'terminal.turn': row(
    'Esto esperó {seconds} segundos su turno en {counter}, que sigue ocupado: «{what}»',
    undone,
    'Inténtelo de nuevo cuando {counter} esté libre.',
  ),
  'terminal.unready': row('El terminal no puede aceptar tarjetas: «{why}»', nothing, 'Haga revisar el terminal.'),
  'terminal.warned': row('El terminal avisa: «{text}»', nothing, 'Ocúpese de ello antes de la próxima hora punta.'),
  'terminal.unknown': row(
    '«{text}» no es la dirección de un terminal',
    nothing,
    'Use zvt+tcp://192.168.1.20:20007, mpi+serial:COM3 o algo parecido; o solo 192.168.1.20, COM3 o /dev/ttyACM0, y la caja averigua el protocolo.',
  ),
  'terminal.protocolMissing': row(
    'La dirección {address} no nombra ningún protocolo, y no se envió nada allí',
    nothing,
    'Asegúrese de que allí hay un terminal de tarjetas y haga que se averigüe su protocolo: en el área Técnico, en «Vincular».',
  ),
  'terminal.unpaired': row(
    'Esta caja no conoce ningún terminal',
    nothing,
    'Busque y vincule uno en el área Técnico, en «Vincular».',
  ),
  'terminal.other': row(
    'Otro terminal responde en {address}: número de serie {serial}. Esta caja está vinculada con {paired}',
    nothing,
    'Conecte el vinculado, o vincule este.',
  ),
  'terminal.simulated': row(
    'El terminal {model} es simulado, y esta caja es real',
    nothing,
    'Vincule un terminal de verdad. Practique con uno simulado en modo de prueba.',
  ),
  'terminal.real': row(
    'El terminal {model} consulta él mismo a su banco, y esta caja está en modo de prueba: cobraría tarjetas reales',
    nothing,
    'Pase a modo real. Si está en el servidor de pruebas de su fabricante, un encargado lo dice en Técnico.',
  ),
  'simulation.live': row(
    'Esta caja es real: no inicia ningún terminal simulado',
    nothing,
    'Vincule un terminal de verdad, o practique en modo de prueba.',
  ),
  'testHost.notHere': row(
    'En {counter} ningún terminal puede estar en un servidor de pruebas',
    unchanged,
    'Solo un terminal vinculado que consulta él mismo a su banco, y solo en una caja de prueba.',
  ),
  'terminal.several': row('Aquí hay {count} terminales: {list}', unchanged, 'Indique el que quiere por su dirección.'),
  'terminal.notFound': row(
    'Ningún terminal respondió: «{why}»',
    unchanged,
    'Encienda el terminal, compruebe el cable y busque de nuevo.',
  ),
  'terminal.cannot': row(
    'El terminal de esta caja autoriza por sí mismo y no puede hacer «{operation}»',
    nothing,
    'Hágalo en el propio terminal, o en una caja con lector de tarjetas.',
  ),
  'terminal.twin': row(
    'Los terminales de {counter} y {other} se nombran igual: {name}',
    'No se hizo nada. Lo que uno cobró podría devolverlo el otro a otro cliente.',
    'Cobre en uno de los dos. Haga que el otro terminal dé un número de serie propio y vincúlelo de nuevo.',
  ),
  'pairing.oneTill': row(
    'Cada terminal {title} pertenece a una sola caja, y nadie lo ha dicho de este',
    'Con una segunda caja, un pago podría anotarse dos veces o anularse el de otro cliente.',
    'Asegúrese de que ninguna otra caja cobre con él y marque la casilla prevista antes de vincular.',
  ),
  'pairing.salesOpen': row(
    'El terminal {terminalId} aún tiene pagos pendientes: «{count}, {receipts}»',
    'Esos pagos conservan el número de terminal {terminalId}. La caja sigue preguntando por ellos a la pasarela.',
    'Termínelos primero. Para cambiar de terminal de todos modos, marque la casilla prevista antes de vincular.',
  ),
  'tape.malformed': row(
    '{file} no es la grabación de un terminal: línea {line}: «{why}»',
    unchanged,
    'Dé el archivo de una grabación.',
  ),
  'host.unreachable': row(
    'No se puede llegar a la pasarela: «{why}»',
    'No se ha cobrado: la solicitud nunca se envió.',
    'Compruebe la red. Los pagos guardados se envían solos.',
  ),
  'host.redirected': row(
    'La pasarela envía la caja a otra dirección: «{why}»',
    'No se ha cobrado: no se hizo nada con la solicitud, y no se envió a ningún otro sitio.',
    'Pida al operador de la pasarela la dirección correcta e indíquela. Los pagos guardados se envían solos.',
  ),
  'gateway.plain': row(
    'La conexión con la pasarela en {url} no está cifrada: es http simple por una red en la que puede estar cualquiera',
    'No se ha cobrado nada, y allí no se envía ni un pago ni el token.',
    'Un técnico indica en la configuración la dirección https de la pasarela.',
  ),
  'gateway.plainUnallowed': row(
    'La conexión con la pasarela en {url} no está cifrada: quien esté en esa red puede leer tokens y pagos',
    'No se ha cobrado nada, y allí no se envía ni un pago ni el token.',
    'Un técnico indica en la configuración la dirección https de la pasarela. Si no tiene ninguna, un encargado puede permitir esta dirección: la barra sobre las pantallas lleva a la página.',
  ),
  'gateway.encrypted': row(
    'Nadie tiene que permitir {url}: la conexión está cifrada o no sale de este equipo',
    nothing,
    'No hay nada que hacer.',
  ),
  'host.silent': row(
    'La pasarela no dio una respuesta válida: «{why}»',
    untilAsked,
    'No cobre otra vez. La caja pregunta sola a la pasarela.',
  ),
  'counter.unknown': row('No hay ningún terminal {counter}', nothing, 'Elija uno de estos: {counters}.'),
  'live.already': row(
    'Ya hay una caja en modo real en {folder}',
    unchanged,
    'Inicie la caja de nuevo: se abrirá la caja real.',
  ),
  'live.notReady': row(
    'Aún no está hecho todo lo de la lista para pasar a modo real',
    unchanged,
    'Haga lo que dice la lista y pase después a modo real.',
  ),
  'machine.other': row(
    'La carpeta de datos de esta caja pertenece a otro equipo',
    'No se ha cobrado nada, y desde aquí no se envía nada de lo que espera.',
    'Un encargado indica si la carpeta se trasladó aquí o es una copia: la barra sobre las pantallas lleva a la página. Si al equipo se le dio un nombre, cada inicio lo necesita.',
  ),
  'machine.behind': row(
    'La pasarela conoce operaciones con el número de terminal de esta caja que faltan en su carpeta de datos: {count}',
    'Ahora no se ha cobrado nada, y desde aquí no se envía nada de lo que espera.',
    'Si la carpeta es una copia antigua, un encargado incorpora lo que conoce la pasarela: la barra sobre las pantallas lleva a la página. Si otra caja vende con el mismo número, no incorpore nada: un técnico da a esta un número de terminal propio.',
  ),
  'machine.uncompared': row(
    'La pasarela aún no ha dicho lo que conoce de esta caja',
    'No se pierde nada: lo que espera se envía en cuanto responda.',
    'Compruebe la línea e inténtelo de nuevo.',
  ),
  'machine.settled': row(
    'La carpeta de datos de esta caja ya pertenece a este equipo',
    unchanged,
    'No hay nada que hacer.',
  ),
  'machine.terminals': row(
    'Estos números de terminal no sirven para una copia: «{why}»',
    unchanged,
    'Indique los números que el adquirente dio a estos terminales, uno para cada uno: {counters}.',
  ),
  'training.notHere': row(
    'Esto no se hace en la práctica: llegaría a aparatos reales',
    unchanged,
    'Termine primero la práctica.',
  ),
  'printer.none': row(
    'No hay ninguna impresora así instalada',
    notTheSale,
    'Añada una impresora en los ajustes, o muestre el recibo en la pantalla.',
  ),
  'printer.address': row(
    '«{text}» no es la dirección de una impresora',
    unchanged,
    'Dé escpos+tcp://192.168.1.50:9100, escpos+serial:/dev/ttyUSB0 o escpos+usb:/dev/usb/lp0.',
  ),
  'printer.known': row('Ya hay una impresora llamada {name}', unchanged, 'Elija otro nombre, o quite primero esa.'),
  'printer.away': row(
    'La impresora {name} no responde: «{why}»',
    `${notTheSale} Mientras la caja esté en marcha, guarda la impresión y la hace cuando vuelva la impresora.`,
    'Encienda la impresora y compruebe su cable.',
  ),
  'printer.paperOut': row(
    'La impresora {name} no tiene papel',
    `${notTheSale} Mientras la caja esté en marcha, guarda la impresión y la hace cuando haya un rollo nuevo.`,
    'Ponga un rollo nuevo y cierre la tapa.',
  ),
  'printer.coverOpen': row(
    'La tapa de la impresora {name} está abierta',
    `${notTheSale} Mientras la caja esté en marcha, guarda la impresión y la hace cuando la tapa esté cerrada.`,
    'Cierre la tapa.',
  ),
  'printer.error': row(
    'La impresora {name} comunica un error: «{why}»',
    `${notTheSale} Mientras la caja esté en marcha, guarda la impresión.`,
    'Mire la impresora; apáguela y vuelva a encenderla.',
  ),
  'printer.full': row(
    'La impresora {name} ya tiene {waiting} impresiones en espera',
    `${notTheSale} Esta no se aceptó: imprímala otra vez más tarde.`,
    'Ocúpese primero de la impresora.',
  ),
  'printer.noDrawer': row(
    'Ninguna impresora tiene un cajón de efectivo',
    undone,
    'Indique en los ajustes a qué impresora está conectado el cajón.',
  ),
  'printer.picture': row(
    'No se puede imprimir la imagen {name}: «{why}»',
    unchanged,
    'Dé un archivo PNG de 1200 × 1200 puntos y 512 KB como máximo, mejor en blanco y negro.',
  ),
};
