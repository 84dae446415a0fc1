import { randomUUID } from 'node:crypto';
import type { Answer, Chain } from '../chain/support';
import { EmailLogin, mailOtp, socialLogin, socialToken } from '../users/login';
import { PIN, Person, WRONG_PIN } from '../users/support';
import type { Deserved } from './deserved';

const TEN_MINUTES = 10 * 60_000;
const AN_HOUR = 60 * 60_000;

const byRequest = (code: number, status: number, earn: Deserved['earn']): Deserved => ({
  code,
  status,
  by: 'request',
  earn,
});

/** An approval of a challenge that the user has just asked for. */
async function approving(person: Person, path: string, content: object, method = 'POST'): Promise<Answer> {
  const { data } = await person.ask(path, {}, method);
  return person.approve(data.challengeId, content);
}

const newPin = { newPin: PIN };
const changePin = (person: Person, content: object) => approving(person, '/user/pin', content, 'PUT');

/** The last of several: the first that is refused as asked for. */
async function times(count: number, send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  for (let n = 1; n < count; n++) answer = await send();
  return answer;
}

async function wrongPins(chain: Chain, count: number): Promise<Answer> {
  const person = await Person.initialized(chain);
  const { data } = await person.ask('/user/pin', {}, 'PUT');
  return times(count, () => person.approve(data.challengeId, { pin: WRONG_PIN, newPin: PIN }));
}

async function wrongAnswers(chain: Chain, count: number): Promise<Answer> {
  const person = await Person.initialized(chain);
  const { data } = await person.ask('/user/pin/restore');
  return times(count, () => person.approve(data.challengeId, { ...newPin, answers: ['no', 'no'] }));
}

/** Spec, User (155101–155146). */
export const USERS: readonly Deserved[] = [
  byRequest(155101, 409, async (chain) => {
    const { id } = await Person.create(chain);
    return chain.send('POST', '/users', { userId: id });
  }),
  byRequest(155102, 404, (chain) => chain.get('/users/nobody')),
  {
    code: 155103,
    status: 401,
    by: 'setting',
    earn: async (chain) => {
      const person = await Person.create(chain);
      await chain.world.control.reset();
      return person.get('/user');
    },
  },
  byRequest(155104, 403, async (chain) => {
    const person = await Person.create(chain);
    await chain.world.control.advance(AN_HOUR);
    return person.get('/user');
  }),
  byRequest(155105, 403, (chain) => chain.send('GET', '/user', undefined, { 'x-user-token': 'made up' })),
  byRequest(155106, 409, async (chain) => (await Person.initialized(chain)).ask('/user/initialize')),
  byRequest(155107, 409, async (chain) => (await Person.initialized(chain)).ask('/user/pin')),
  byRequest(155108, 409, async (chain) => {
    const { id } = await Person.initialized(chain);
    return chain.control('POST', `/users/${id}/securityQuestions`);
  }),
  {
    code: 155109,
    status: 409,
    by: 'setting',
    earn: async (chain) => {
      const person = await Person.create(chain);
      await chain.control('POST', `/users/${person.id}/disable`);
      return person.get('/user');
    },
  },
  byRequest(155110, 400, async (chain) => (await Person.create(chain)).ask('/user/pin', {}, 'PUT')),
  byRequest(155111, 400, async (chain) => {
    const person = await Person.create(chain);
    await approving(person, '/user/pin', newPin);
    return person.ask('/user/pin/restore');
  }),
  byRequest(155112, 400, (chain) => wrongPins(chain, 1)),
  byRequest(155113, 400, async (chain) => {
    const person = await Person.create(chain);
    return approving(person, '/user/pin', { ...newPin, deviceId: randomUUID() });
  }),
  byRequest(155114, 400, async (chain) => {
    const person = await Person.create(chain);
    return approving(person, '/user/pin', { ...newPin, appId: randomUUID() });
  }),
  byRequest(155115, 400, (chain) => wrongAnswers(chain, 1)),
  byRequest(155116, 404, async (chain) => (await Person.create(chain)).get(`/user/challenges/${randomUUID()}`)),
  byRequest(155117, 400, async (chain) => changePin(await Person.initialized(chain), newPin)),
  byRequest(155118, 400, async (chain) => {
    const person = await Person.create(chain);
    const { data } = await chain.send('POST', '/users/token', { userId: person.id });
    return approving(person, '/user/pin', {
      ...newPin,
      userToken: person.token,
      encryptionKey: data.encryptionKey,
    });
  }),
  byRequest(155119, 400, (chain) => wrongPins(chain, 4)),
  byRequest(155120, 400, (chain) => wrongAnswers(chain, 4)),
  byRequest(155121, 403, async (chain) => {
    const person = await Person.create(chain);
    const { data } = await person.ask('/user/pin');
    await chain.world.control.advance(AN_HOUR);
    return person.approve(data.challengeId, newPin);
  }),
  byRequest(155122, 403, async (chain) => {
    const person = await Person.create(chain);
    const { data } = await person.ask('/user/pin');
    await person.approve(data.challengeId, newPin);
    return person.approve(data.challengeId, newPin);
  }),
  byRequest(155123, 403, async (chain) => approving(await Person.create(chain), '/user/pin', {})),
  byRequest(155124, 403, async (chain) => approving(await Person.create(chain), '/user/pin', { newPin: '12' })),
  byRequest(155130, 400, async (chain) => {
    const login = await EmailLogin.begin(chain);
    await chain.world.control.advance(TEN_MINUTES - 1);
    return login.enter();
  }),
  byRequest(155131, 400, async (chain) => (await EmailLogin.begin(chain)).enter({ otpToken: 'made up' })),
  byRequest(155132, 404, async (chain) => {
    const { data } = await socialToken(chain);
    return chain.control('POST', '/otp/verify', { deviceToken: data.deviceToken, otpToken: 'none', otp: '123456' });
  }),
  byRequest(155133, 400, async (chain) => (await EmailLogin.begin(chain)).enterWrong()),
  byRequest(155134, 400, async (chain) => {
    const login = await EmailLogin.begin(chain);
    return (await login.resent()).enter({ otp: await login.otp() });
  }),
  byRequest(155135, 400, (chain) => mailOtp(chain, { email: 'anna' })),
  byRequest(155136, 400, async (chain) => (await EmailLogin.begin(chain)).resend({ email: 'bert@example.com' })),
  byRequest(155137, 400, (chain) => mailOtp(chain, { deviceId: 'phone' })),
  {
    code: 155138,
    status: 400,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.changeSettings({ smtp: 'failing' });
      return mailOtp(chain);
    },
  },
  byRequest(155139, 400, (chain) => socialLogin(chain, { ssoToken: 'expired' })),
  byRequest(155140, 400, (chain) => socialLogin(chain, { ssoToken: 'invalid' })),
  byRequest(155141, 400, async (chain) => {
    const [first, second] = [await EmailLogin.begin(chain), await EmailLogin.begin(chain)];
    await times(3, () => first.enterWrong());
    return times(3, () => second.enterWrong());
  }),
  byRequest(155142, 400, (chain) => times(6, () => mailOtp(chain))),
  byRequest(155143, 400, async (chain) => {
    const login = await EmailLogin.begin(chain);
    await chain.world.control.advance(TEN_MINUTES);
    return login.resend();
  }),
  byRequest(155144, 400, async (chain) => {
    const login = await EmailLogin.begin(chain);
    await socialToken(chain, login.deviceId);
    return login.enter();
  }),
  {
    code: 155145,
    status: 404,
    by: 'setting',
    earn: async (chain) => {
      const { deviceToken } = (await mailOtp(chain)).data;
      await chain.world.control.reset();
      return chain.control('POST', '/otp/verify', { deviceToken, otpToken: 'any', otp: '123456' });
    },
  },
  byRequest(155146, 400, async (chain) => {
    const login = await EmailLogin.begin(chain);
    await times(3, () => login.enterWrong());
    return login.enter();
  }),
];
