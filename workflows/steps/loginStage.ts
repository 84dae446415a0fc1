import { ApplicationFailure, condition } from '@temporalio/workflow';
import { DEVICE_TOKEN_MS, type DeviceLogin } from '../../src/domain/deviceLogin';
import { LOGIN_HELP } from '../../src/domain/loginHelp';
import type { ProvisionData, ProvisionName } from '../../src/domain/provisions';
import type { Sealed } from '../../src/domain/sealed';
import { local } from '../kit/activities';
import { answerApprovals, promptActivities } from '../kit/approval';
import type { Flow } from '../kit/flow';
import type { Provision } from '../kit/people';
import type { DeviceLogins } from './deviceLogins';

/** A device token that has so little left is got anew before it is handed out. */
const SPARE_MS = 60_000;
/** As long as somebody waits for an answer. */
const LONGEST_RENEWAL = '8 seconds';
const DEVICE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A login under way: what the user's browser needs, what people say to it, and in the end the user's tokens. */
export class LoginStage {
  private login: DeviceLogin | undefined;
  private gotAt = 0;
  private wanted: 'begin' | 'resend' | undefined;
  /** The device for which something is under way. */
  private obtaining: string | undefined;
  private reported: number | undefined;
  private given: ProvisionData<'tokens'> | undefined;
  private ended = false;
  private readonly ends: (() => void)[] = [];
  private told = '';
  private appId: string | undefined;

  constructor(
    private readonly flow: Flow,
    private readonly logins: DeviceLogins,
    private deviceId: string | undefined,
  ) {
    if (deviceId !== undefined) this.wanted = 'begin';
    this.listen();
    this.tellWait();
  }

  /** Whether somebody has said something that is still to be acted on. */
  get hasWork(): boolean {
    return this.wanted !== undefined || this.reported !== undefined || this.given !== undefined;
  }

  /** Acts on it. @returns tokens, when the user has logged in */
  async work(): Promise<{ tokens: ProvisionData<'tokens'>; deviceId: string } | undefined> {
    const { given, reported, wanted, deviceId } = this;
    // What is asked for from now on is asked for again.
    this.given = this.reported = this.wanted = undefined;
    if (given && deviceId !== undefined) return { tokens: given, deviceId };
    if (reported !== undefined) await this.show(reported);
    this.tellWait();
    if (wanted && deviceId !== undefined) await this.obtain(wanted, deviceId);
    return undefined;
  }

  /** The tokens are no good: the user has to log in again, with a new device token. */
  async refused(code: number): Promise<void> {
    this.login = undefined;
    await this.show(code);
  }

  /** Nothing more is taken. */
  end(): void {
    this.ended = true;
    for (const end of this.ends) end();
    this.flow.showUserProblem(undefined);
  }

  private async obtain(how: 'begin' | 'resend', deviceId: string): Promise<void> {
    const { logins, login } = this;
    this.obtaining = deviceId;
    const resend = how === 'resend' && login !== undefined && logins.resend !== undefined;
    const obtained = resend ? await logins.resend!(deviceId, login) : await logins.begin(deviceId);
    if ('login' in obtained) {
      // Another mail alone brings no new device token.
      if (obtained.login.deviceToken !== login?.deviceToken) this.gotAt = Date.now();
      this.login = obtained.login;
      this.flow.showUserProblem(undefined);
    } else {
      if (LOGIN_HELP[obtained.problem] === 'device') this.forgetDevice(deviceId);
      await this.show(obtained.problem);
    }
    this.obtaining = undefined;
    this.tellWait();
  }

  private listen(): void {
    const { logins } = this;
    answerApprovals({ problem: () => this.handOutProblem(), issue: ({ publicKey }) => this.handOut(publicKey) });
    const open = () => true;
    const onDevice = () => this.deviceId !== undefined;
    this.provides('deviceId', {
      effect: 'gets what the user needs to log in on this device',
      wanted: open,
      check: ({ deviceId }) => {
        if (!DEVICE_ID.test(deviceId)) return 'deviceId: is no device id; give the UUID of the browser SDK';
        return this.isAtHand(deviceId) ? undefined : this.pauseProblem;
      },
      take: ({ deviceId }) => {
        if (this.isAtHand(deviceId)) return;
        this.deviceId = deviceId;
        this.wanted = 'begin';
      },
    });
    this.provides('tokens', {
      effect: 'goes on as the user who has logged in',
      wanted: onDevice,
      take: (tokens) => void (this.given = tokens),
    });
    this.provides('clientError', {
      effect: "helps against what went wrong in the user's app, or says what does",
      wanted: open,
      take: ({ code }) => this.report(code),
    });
    if (!logins.resend) return;
    this.provides('resendOtp', {
      effect: 'sends the user another mail',
      wanted: onDevice,
      check: () => this.pauseProblem,
      take: () => void (this.wanted ??= 'resend'),
    });
  }

  private provides<W extends ProvisionName>(what: W, provision: Provision<W>): void {
    this.ends.push(this.flow.provides(what, provision));
  }

  private handOutProblem(): string | undefined {
    if (this.ended) return 'The user has logged in; nothing is to be approved yet';
    if (this.deviceId === undefined) return "The login is not ready; look at the flow's progress";
    return this.isFresh ? undefined : this.pauseProblem;
  }

  /** What the user's browser logs in with, sealed to whoever asks for it; what is too old for that is got anew first. */
  private async handOut(publicKey: string): Promise<Sealed> {
    this.appId ??= await promptActivities(this.flow.start.entity).readAppId();
    if (!this.isFresh && !this.obtaining) this.wanted ??= 'begin';
    await condition(() => this.ended || (this.isFresh && !this.obtaining), LONGEST_RENEWAL);
    const { login, appId, logins } = this;
    if (!login || !this.isFresh || this.ended) {
      const problem = this.handOutProblem() ?? "The login is not ready; look at the flow's progress, then ask again";
      throw ApplicationFailure.nonRetryable(problem, 'ApprovalRefused');
    }
    return local.sealLogin(login, { publicKey, appId, method: logins.method });
  }

  /** What the user's app reported: what helps is done, as far as the user need not be asked. */
  private report(code: number): void {
    this.reported = code;
    const help = LOGIN_HELP[code];
    if (help === 'pause') this.logins.pause();
    if (help === 'device') this.forgetDevice(this.deviceId);
    if (help === 'begin' && this.deviceId !== undefined && !this.pauseProblem) this.wanted = 'begin';
  }

  private forgetDevice(deviceId: string | undefined): void {
    if (this.deviceId === deviceId) this.deviceId = this.login = undefined;
  }

  /** Whether the device has what it needs, and it is still good, or will have it in a moment. */
  private isAtHand(deviceId: string): boolean {
    if (this.deviceId !== deviceId) return false;
    return this.obtaining === deviceId || this.wanted !== undefined || this.isFresh;
  }

  private get isFresh(): boolean {
    return this.login !== undefined && Date.now() <= this.gotAt + DEVICE_TOKEN_MS - SPARE_MS;
  }

  private get pauseProblem(): string | undefined {
    const at = this.logins.nextAt();
    return at === undefined ? undefined : `No mail can be sent before ${new Date(at).toISOString()}; ask again then`;
  }

  private async show(code: number): Promise<void> {
    const { name, remedy } = await local.explainCode(code);
    this.flow.showUserProblem({ code, name, remedy });
  }

  private tellWait(): void {
    const waitsFor = this.deviceId === undefined ? "the device id of the user's browser" : this.logins.waitsFor;
    if (waitsFor !== this.told) this.flow.waitFor(waitsFor);
    this.told = waitsFor;
  }
}
