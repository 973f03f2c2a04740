/** How a sale ended, in Arabic. `{why}` is filled with the facts of the case. */

import { row, translator } from '../../translation.ts';
import type { ReasonsIn } from '../en/reasons.ts';

const notCharged = 'لم يُخصم شيء.';
const called = 'إن طال ذلك أكثر من 15 دقيقة يُستدعى شخص.';
const released = `لم يُخصم شيء: موافقة البنك تُعاد تلقائيًا. ${called}` as const;
const receipt = 'سلّم الإيصال.';
const otherCard = 'اطلب بطاقة أخرى.';
const again = 'ابدأ من جديد.';
const manager = 'أخبر المدير.';
const leaveIn = 'ابدأ من جديد واترك البطاقة في مكانها.';
const whenReady = 'ابدأ من جديد عندما يكون كل شيء جاهزًا.';
const goodsLeft = 'لم يُخصم شيء، مع أن البضاعة خرجت.';

export const reasons = translator<ReasonsIn>()('ar', {
  approved: row('مقبول', 'تم الخصم.', receipt),
  refunded: row('أُعيد المبلغ', 'يعود المال إلى البطاقة.', receipt),
  held: row(
    'حُجز ' + 'المبلغ',
    'محجوز على البطاقة ولم يُخصم بعد.',
    'سلّم الإيصال. حصّل المبلغ برقم هذا الإيصال عندما يُعرف.',
  ),
  credited: row('أُضيف الرصيد', 'يذهب المال إلى البطاقة.', receipt),
  voided: row('أُلغيت', 'تم التراجع: لا ينتقل أي مال.', receipt),
  heldMore: row('زيد الحجز', 'محجوز على البطاقة ولم يُخصم بعد.', receipt),
  completed: row('حُصّل المبلغ', 'تم الخصم.', receipt),
  released: row('فُك الحجز', 'لم يعد شيء محجوزًا على البطاقة، ولا يُخصم شيء.', receipt),
  stored: row('محفوظة، وستُرسل عند عودة الخط', 'تصل إلى البنك عند عودة الخط.', 'سلّم الإيصال. تُرسل من تلقاء نفسها.'),
  storedRefused: row('حُفظت ثم رفضها البنك', 'لم تحدث: الدفعة التي تتبعها باقية كما كانت.', manager),
  nothingToFollow: row(
    'لم يبقَ ما يُفعل: {why}',
    'لم ينتقل أي مال: الدفعة التي تتبعها لم تتم قط.',
    'انظر إلى الإيصال الذي تتبعه.',
  ),
  voidedBeforeSending: row('أُلغيت قبل إرسالها إلى البنك', 'لم يُخصم شيء: لن يعلم البنك بها.', receipt),
  approvedOffline: row('مقبول دون اتصال', 'سيُخصم عند عودة الخط.', receipt),
  takenOffline: row('أُخذت دون اتصال، ولم يوافق عليها البنك بعد', 'سيُخصم عند عودة الخط إن وافق البنك حينها.', receipt),
  holdTakenOffline: row(
    'أُخذت دون اتصال، ولم يوافق عليها البنك بعد',
    'سيُحجز على البطاقة عند عودة الخط إن وافق البنك حينها.',
    receipt,
  ),
  heldOffline: row('مقبول دون اتصال', 'سيُحجز على البطاقة عند عودة الخط.', receipt),
  declinedOnForwarding: row('أُخذت دون اتصال ثم رفضها البنك', goodsLeft, manager),
  declinedByHost: row('مرفوض', notCharged, otherCard),
  refusedByHost: row('رفضت بوابة الدفع الطلب: {why}', notCharged, 'اطلب فحص إعدادات الصندوق.'),
  testAnswer: row(
    'نقطة البيع هذه تعمل فعليًا، لكن بوابتها أجابت في وضع الاختبار',
    notCharged,
    'لا تقبل بطاقات أخرى هنا. على المدير تصحيح عنوان البوابة وقناتها.',
  ),
  liveAnswer: row(
    'نقطة البيع هذه في وضع الاختبار، لكن بوابتها تعمل فعليًا',
    released,
    'لا تقبل بطاقات أخرى هنا. يستطيع المدير تشغيل نقطة البيع فعليًا أو إعطاءها قناة اختبار.',
  ),
  declinedByChip: row('رفضتها البطاقة', notCharged, otherCard),
  chipRefusedApproval: row('وافق البنك ثم رفضت البطاقة', released, otherCard),
  cardPulled: row('سُحبت البطاقة قبل الأوان', notCharged, leaveIn),
  cardPulledAfterApproval: row('سُحبت البطاقة أو فُقد جهاز الدفع قبل انتهاء الدفعة', released, leaveIn),
  cancelledByTill: row('أُلغيت على الصندوق', notCharged, whenReady),
  cancelledAfterApproval: row('أُلغيت على الصندوق', released, whenReady),
  cancelledByCustomer: row('ألغاها الزبون', notCharged, 'اسأل الزبون كيف يريد المتابعة.'),
  pinCancelled: row('لم يُدخل رمز سري', notCharged, 'ابدأ من جديد أو اطلب بطاقة أخرى.'),
  timedOut: row('لم تُقدَّم بطاقة في الوقت المناسب', notCharged, 'ابدأ من جديد عندما يكون الزبون جاهزًا.'),
  cardUnsupported: row('هذه البطاقة غير مدعومة', notCharged, otherCard),
  cardUnreadable: row('تعذرت قراءة البطاقة', notCharged, 'حاول مرة أخرى أو اطلب بطاقة أخرى.'),
  terminalFailed: row('تعطل جهاز الدفع: {why}', notCharged, 'افحص جهاز الدفع وابدأ من جديد.'),
  offlineRefused: row(
    'تعذر الوصول إلى بوابة الدفع، ولا يمكن قبول هذه الدفعة دون اتصال: {why}',
    notCharged,
    'حاول عند عودة الخط، أو خذ نقدًا.',
  ),
  unanswered: row(
    'لم تُجب بوابة الدفع',
    `غير معروف. يجري سؤالها، وإن كان قد خُصم فسيُعاد. ${called}`,
    'لا تحصّل مرة أخرى حتى تتضح هذه الدفعة.',
  ),
  reversed: row('لم تُجب بوابة الدفع في الوقت المناسب، وأُعيد ما وافقت عليه', notCharged, again),
  neverArrived: row('لم يصل الطلب إلى بوابة الدفع', notCharged, again),
  restarted: row('أُعيد تشغيل الصندوق قبل انتهاء الدفعة', notCharged, again),
  restartedAfterApproval: row('أُعيد تشغيل الصندوق قبل انتهاء الدفعة', released, again),
  declinedAtTerminal: row('مرفوض على جهاز الدفع', notCharged, otherCard),
  notBegunAtTerminal: row('لم يبدأ جهاز الدفع: {why}', notCharged, 'انظر إلى جهاز الدفع وابدأ من جديد.'),
  neverMade: row('فُقد جهاز الدفع، ويقول الآن إنه لم ينفذ أي دفعة', notCharged, again),
  unansweredAtTerminal: row(
    'فُقد جهاز الدفع قبل أن يخبر بالنتيجة',
    `غير معروف. يُسأل جهاز الدفع قبل الدفعة التالية. ${called}`,
    'لا تحصّل مرة أخرى. اقرأ النتيجة على جهاز الدفع ثم صِله من جديد.',
  ),
  unclearAtTerminal: row(
    'لا يستطيع جهاز الدفع أن يقول ما آلت إليه الدفعة: {why}',
    'غير معروف. ربما تم الخصم.',
    'ابحث عنها في سجل جهاز الدفع قبل أن تحصّل مرة أخرى، وأخبر المدير.',
  ),
  approvedOtherAmount: row(
    'وافق جهاز الدفع على مبلغ آخر',
    `لم يُخصم شيء: ما تمت الموافقة عليه يُعاد تلقائيًا. ${called}`,
    'اطلب فحص جهاز الدفع قبل أن تبدأ من جديد.',
  ),
  refundedOtherAmount: row(
    'أعاد جهاز الدفع مبلغًا آخر',
    'أُعيد المبلغ المكتوب على إيصال جهاز الدفع، لا هذا المبلغ.',
    manager,
  ),
  reversedAtTerminal: row('أُعيد المبلغ: ألغى جهاز الدفع دفعته', 'لم يُخصم شيء من الزبون.', receipt),
  reversalDeclined: row(
    'جهاز الدفع لا يلغي دفعته: {why}',
    'لم يُعد شيء.',
    'ابدأ إعادة المبلغ من جديد: تتم عندها ببطاقة الزبون على جهاز الدفع.',
  ),
  otherTerminal: row(
    'تمت الدفعة على جهاز آخر، وهو وحده يستطيع إلغاءها',
    'لم يُعد شيء.',
    'ابدأ إعادة المبلغ من جديد: تتم عندها ببطاقة الزبون على هذا الجهاز.',
  ),
  reversalRefused: row(
    'وافق جهاز الدفع ولا يتراجع عن ذلك: {why}',
    'تم الخصم.',
    'أعد المال: نفّذ إعادة مبلغ لهذا الإيصال ببطاقة الزبون.',
  ),
  personSaidDone: row('بعد المراجعة: تمت', 'انتقل المال كما طُلب.', receipt),
  approvedLate: row(
    'وافق البنك متأخرًا، بعد أن انتهت الدفعة على أنها لم ' + 'تُرسل',
    released,
    'أخبر المدير إذا سأل الزبون.',
  ),
  cardDataExpired: row(
    'أُخذت دون اتصال ولم تُرسل خلال {why}: وجب إتلاف بيانات البطاقة',
    goodsLeft,
    'أخبر المدير: هذه خسارة.',
  ),
  newerVersion: row(
    'كتب إصدار أحدث من هذا البرنامج ما لا يستطيع هذا الإصدار قراءته: {why}',
    'لا يستطيع هذا الإصدار أن يقول ما آلت إليه الدفعة. لا يغيّر فيها شيئًا ولا يرسل منها شيئًا.',
    'شغّل الإصدار الأحدث: فهو يكمل هذه الدفعة. وتستمر كل الدفعات الأخرى هنا.',
  ),
  personSaidNot: row('بعد المراجعة: لم تتم دفعة كهذه', notCharged, again),
});
