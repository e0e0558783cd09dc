import { answerBlocks, defineOrderEmail, seeOrder } from '#server/fulfilment/emails.ts';

const ABOUT_RETURN = { blocks: [answerBlocks, seeOrder], unverified: 'same' } as const;

/** The emails to the customer about a return. Its refund has an email of its own. */
export const RETURN_EMAILS = {
  requested: defineOrderEmail('returnRequested', {
    ...ABOUT_RETURN,
    when: 'A return was requested: to the shopper',
    texts: {
      en: ({ number }) => `We have your request to return goods of order ${number}
        We look at it and write to you. Please send nothing back before that.`,
      hi: ({ number }) => `ऑर्डर ${number} का सामान लौटाने का आपका अनुरोध हमें मिल गया
        हम इसे देखकर आपको लिखेंगे। कृपया उससे पहले कुछ वापस न भेजें।`,
    },
  }),
  accepted: defineOrderEmail('returnAccepted', {
    ...ABOUT_RETURN,
    when: 'A return was accepted: to the shopper, with what to do with the goods',
    answer: 'Please send them to our shop, in the box in which they came.',
    texts: {
      en: ({ number }) => `We accept the return of goods of order ${number}
        We write again when your money or new goods are on their way.`,
      hi: ({ number }) => `ऑर्डर ${number} के सामान की वापसी स्वीकार है
        पैसे या नया सामान भेजते ही हम फिर लिखेंगे।`,
    },
  }),
  refused: defineOrderEmail('returnRefused', {
    ...ABOUT_RETURN,
    when: 'A return was refused: to the shopper, with the reason',
    answer: 'The fruit was eaten.',
    texts: {
      en: ({ number }) => `We cannot take back the goods of order ${number}`,
      hi: ({ number }) => `ऑर्डर ${number} का सामान हम वापस नहीं ले सकते`,
    },
  }),
  replaced: defineOrderEmail('returnReplaced', {
    ...ABOUT_RETURN,
    when: 'A return ended because new goods were sent: to the shopper, with their parcel',
    answer: 'Delhivery AB123456789IN',
    texts: {
      en: ({ number }) => `We have sent you new goods for order ${number}
        They replace those that you asked to return. There is nothing to pay.`,
      hi: ({ number }) => `ऑर्डर ${number} के लिए हमने नया सामान भेज दिया है
        यह उस सामान के बदले में है जिसे आप लौटाना चाहते थे। आपको कुछ नहीं देना है।`,
    },
  }),
  nothing_came: defineOrderEmail('returnNothingCame', {
    ...ABOUT_RETURN,
    when: 'A return ended because nothing came back: to the shopper',
    texts: {
      en: ({ number }) => `Your return of goods of order ${number} is over
        Nothing has come back to us, so nothing is refunded for it. If you have sent the goods, reply to this email.`,
      hi: ({ number }) => `ऑर्डर ${number} के सामान की वापसी समाप्त हो गई
        हमारे पास कुछ वापस नहीं आया, इसलिए इसके लिए कोई रिफ़ंड नहीं होगा। अगर आपने सामान भेज दिया है, तो इस ईमेल का जवाब दें।`,
    },
  }),
  withdrawn: defineOrderEmail('returnWithdrawn', {
    ...ABOUT_RETURN,
    when: 'A return was withdrawn: to the shopper',
    texts: {
      en: ({ number }) => `Your return of goods of order ${number} is withdrawn
        You keep the goods; please send nothing back. If you did not want that, reply to this email.`,
      hi: ({ number }) => `ऑर्डर ${number} के सामान की वापसी का अनुरोध वापस ले लिया गया
        सामान आपके पास रहेगा; कृपया कुछ वापस न भेजें। अगर आप यह नहीं चाहते थे, तो इस ईमेल का जवाब दें।`,
    },
  }),
};
