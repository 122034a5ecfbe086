// A tour of a page: one element after the other is shown, with words beside it. As much of its types as is used.
export interface Popover {
  title: string;
  description: string;
  side?: "top" | "right" | "bottom" | "left" | "over";
  align?: "start" | "center" | "end";
}
export interface DriveStep {
  element?: string | Element | (() => Element);
  popover: Popover;
}
export interface PopoverDOM {
  wrapper: HTMLElement;
  title: HTMLElement;
  description: HTMLElement;
  closeButton: HTMLButtonElement;
  previousButton: HTMLButtonElement;
  nextButton: HTMLButtonElement;
}
export interface Config {
  steps: DriveStep[];
  animate?: boolean;
  smoothScroll?: boolean;
  overlayColor?: string;
  overlayOpacity?: number;
  stagePadding?: number;
  stageRadius?: number;
  popoverOffset?: number;
  popoverClass?: string;
  allowClose?: boolean;
  disableActiveInteraction?: boolean;
  showProgress?: boolean;
  progressText?: string;
  nextBtnText?: string;
  prevBtnText?: string;
  doneBtnText?: string;
  onPopoverRender?: (popover: PopoverDOM) => void;
  onHighlighted?: (element?: Element) => void;
  onDeselected?: (element?: Element) => void;
  onDestroyed?: () => void;
}
export interface Driver {
  drive: (step?: number) => void;
  destroy: () => void;
  isActive: () => boolean;
}
export declare function driver(config: Config): Driver;
