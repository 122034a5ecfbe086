/** The parts of d3-shape that marks of charts use (draw/marks.js). */
type Place = number[];
type Of<Result> = Result | ((place: Place) => Result);
export interface Line {
  (places: Place[]): string | null;
  defined(defined: Of<boolean>): Line;
  digits(digits: number): Line;
}
export interface Area {
  (places: Place[]): string | null;
  x(x: Of<number>): Area;
  y0(y: Of<number>): Area;
  y1(y: Of<number>): Area;
  defined(defined: Of<boolean>): Area;
  digits(digits: number): Area;
}
export function line(): Line;
export function area(): Area;
