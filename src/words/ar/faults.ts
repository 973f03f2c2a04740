/** What went wrong, in Arabic. `{name}` is filled with the facts of the case. */
import { row } from '../row.ts';
import type { SaidTables } from '../said.ts';
import { faultsOfBooks } from './faults-books.ts';
import { faultsOfDevices } from './faults-devices.ts';

const nothing = 'لم يُخصم شيء.';

export const faults: SaidTables['faults'] = {
  ...faultsOfBooks,
  ...faultsOfDevices,
  'till.away': row(
    'برنامج الصندوق لا يستجيب',
    'الدفعة الجارية تستمر من تلقاء نفسها ولا تضيع.',
    'انتظر لحظة: تتصل هذه الصفحة من جديد تلقائيًا.',
  ),
  'program.failed': row(
    'حدث خطأ غير متوقع: «{why}»',
    'ما كُتب محفوظ.',
    'ابدأ من جديد: الصندوق ينهي الدفعات المفتوحة تلقائيًا. أخبر الدعم بما فعلته.',
  ),
  'session.needed': row(
    'لم يسجل أحد دخوله',
    nothing,
    'سجل الدخول وحاول مرة أخرى. الدفعة الجارية تستمر من تلقاء نفسها.',
  ),
  'session.notAllowed': row('لا يجوز لـ {who} فعل هذا', nothing, 'اطلب من المدير إدخال رمزه السري.'),
  'request.malformed': row('البيانات ليست كما يجب: «{why}»', nothing, 'صححها وحاول مرة أخرى.'),
  'request.foreign': row('رُفض الطلب: «{why}»', nothing, 'افتح صفحة الصندوق نفسها وسجل الدخول فيها.'),
  'staff.refused': row(
    'الاسم أو الرمز السري غير صحيح',
    nothing,
    'حاول مرة أخرى. بعد خمسة رموز خاطئة يُقفل الاسم لبعض الوقت.',
  ),
  'staff.locked': row(
    'رموز خاطئة كثيرة: هذا الاسم مقفل لمدة {minutes} دقائق أخرى',
    nothing,
    'انتظر، أو اطلب من المدير رمزًا جديدًا.',
  ),
  'staff.notAllowed': row('لا يجوز لـ {name} فعل هذا هنا', nothing, 'اسأل من يجوز له ذلك.'),
  'staff.pinWeak': row('هذا الرمز مرفوض: «{why}»', nothing, 'اختر رمزًا آخر من 4 إلى 12 رقمًا.'),
  'staff.name': row('للاسم من 1 إلى 40 حرفًا أو مسافة أو نقطة أو شرطة', nothing, 'صححه وحاول مرة أخرى.'),
  'staff.known': row('{name} معروف هنا من قبل', nothing, 'اختر اسمًا آخر، أو أزل هذا الشخص أولًا.'),
  'staff.lastManager': row('{name} هو المدير الوحيد لهذا الصندوق', nothing, 'أضف مديرًا آخر أولًا.'),
  'till.notFound': row('لا توجد دفعة برقم الإيصال {receipt}', nothing, 'تحقق من الرقم على الإيصال.'),
  'till.nothingLeft': row('لم يبقَ ما يُعاد على الإيصال {receipt}: «{why}»', 'لم يُعد شيء.', 'انظر إلى الدفعة.'),
  'till.refundTooHigh': row('يمكن إعادة {left} على الأكثر على الإيصال {receipt}', nothing, 'أعد هذا المبلغ أو أقل.'),
  'till.cannotFollow': row(
    'لا يمكن أن يتبع هذا الإيصال {receipt} ({operation}): «{why}»',
    'لم ينتقل مال. الإيصال {receipt} باقٍ كما كان.',
    'انظر إلى الدفعة.',
  ),
  'till.unresolved': row(
    'الدفعة {sale} ما زالت غير معروفة',
    'ربما تم الخصم. يجري السؤال عنها.',
    'لا تحصّل مرة أخرى. انتظر بوابة الدفع أو اتصل بالمدير.',
  ),
  'amount.malformed': row('«{text}» ليس مبلغًا من {currency}: «{why}»', nothing, 'اكتبه مثل 12.50.'),
  'amount.unpositive': row('لا يمكن أخذ مبلغ {amount} أو إعادته', nothing, 'اكتب أكثر من صفر.'),
  'books.nothingToClose': row(
    'لا شيء لإقفاله: لم تبدأ دفعة منذ آخر إقفال',
    nothing,
    'انظر إلى الدُفعات اليومية المقفلة.',
  ),
};
