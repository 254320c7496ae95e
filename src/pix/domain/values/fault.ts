/**
 * What is wrong with one member of an input. A value object collects faults instead of throwing at the first one,
 * because all faults of a body are reported at once; the slice that knows the body puts its path before `member`.
 */
export interface Fault<Member extends string = string, Code extends string = string> {
  readonly member: Member;
  readonly code: Code;
  readonly message: string;
  readonly info?: Readonly<Record<string, unknown>>;
}
