/** The user, who approves challenges in a client of their own: played by the emulator's controls. */

const PIN = '123456';
const QUESTIONS = [
  { question: 'First pet?', answer: 'Rex' },
  { question: 'First school?', answer: 'Hill' },
];
/** What a user enters to set a PIN, and to change or restore it. */
const ENTRIES = {
  first: { newPin: PIN, questions: QUESTIONS },
  changed: { pin: PIN, newPin: PIN },
  restored: { answers: QUESTIONS.map(({ answer }) => answer), newPin: PIN },
};
/** Longer than an approved challenge is under way. */
const UNDER_WAY_MS = 1_000;

/** Approves a challenge, with the PIN unless told otherwise, and waits for what comes of it. */
async function approve({ control }, challengeId, entry = { pin: PIN }) {
  const approval = await control('POST', `/challenges/${challengeId}/approve`, entry);
  await control('POST', '/clock/advance', { durationMs: UNDER_WAY_MS });
  return approval;
}

/** The id of what an approved challenge made. */
async function madeBy({ client, userToken }, challengeId) {
  const { data } = await client.getUserChallenge({ challengeId, userToken });
  return data.challenge.correlationIds[0];
}

module.exports = { ENTRIES, approve, madeBy };
