const sdk = require('@circle-fin/developer-controlled-wallets');
const { newApiKey } = require('../emulator');
const { malformedApiKey, unknownApiKey } = require('./refusals');
const { readers } = require('./walletErrors');

const { answerOf, errorOf, kindOf } = readers(sdk);
/** RSA-OAEP under a key of 4096 bits, in base64. */
const CIPHERTEXT = /^[A-Za-z0-9+/]{683}=$/;

/** The functions that stand beside the client, for an entity that has no secret yet. */
module.exports = {
  name: '@circle-fin/developer-controlled-wallets',
  declared: 'EntitySecret',
  answerOf: (value) =>
    typeof value === 'string' ? { answer: value, status: 200, request: 'encrypted' } : answerOf(value),
  errorOf,
  kindOf,
  async start({ url: baseUrl, apiKey, entitySecret, control }) {
    const { generateEntitySecret, generateEntitySecretCiphertext, registerEntitySecretCiphertext } = sdk;
    await control('PUT', '/entitySecret', { entitySecret: null });
    const given = { entitySecret, baseUrl };
    const clientOf = (key) =>
      Object.create({
        generateEntitySecret,
        generateEntitySecretCiphertext: () => generateEntitySecretCiphertext({ ...given, apiKey: key }),
        registerEntitySecretCiphertext: () => quietly(() => registerEntitySecretCiphertext({ ...given, apiKey: key })),
      });
    return { control, client: clientOf(apiKey), stranger: clientOf(newApiKey()), keyless: clientOf('no-key') };
  },
  steps: {
    generateEntitySecretCiphertext: {
      expect: (ciphertext) => ({ 'looks like a ciphertext': [CIPHERTEXT.test(ciphertext), true] }),
      refused: [unknownApiKey, malformedApiKey],
    },
    registerEntitySecretCiphertext: {
      expect: ({ recoveryFile }) => ({ 'a recovery file': [recoveryFile.length > 0, true] }),
      refused: [{ code: 156015, status: 409 }, unknownApiKey],
    },
  },
  never: { 'prints a new secret': ['generateEntitySecret'] },
};

/** Without what it prints: the secret. */
async function quietly(call) {
  const { log } = console;
  console.log = () => {};
  try {
    return await call();
  } finally {
    console.log = log;
  }
}
