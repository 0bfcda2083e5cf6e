// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scatter plot, drawn by hand: both axes have the same logarithmic range, so
// that right predictions lie on the diagonal and a factor is the same distance
// everywhere.
#include "auspex/Validate/ValidationReport.h"

#include "ReportTexts.h"
#include "auspex/Support/Markup.h"
#include "auspex/Support/Table.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace auspex;
using llvm::formatv;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

constexpr double Side = 520, Left = 90, Top = 50, Right = 220, Bottom = 70;
constexpr StringRef Colours[] = {"#1b6ca8", "#d1495b", "#3c8d40"};

/// Decades from low to high: powers of ten of microseconds.
struct Axes {
  int low = 0, high = 1;

  /// From 0 to 1.
  double share(double timeInUs) const {
    return (std::log10(timeInUs) - low) / (high - low);
  }
  double x(double timeInUs) const { return Left + Side * share(timeInUs); }
  double y(double timeInUs) const { return Top + Side * (1 - share(timeInUs)); }
};

} // namespace

static Axes axesFor(const Validation &validation) {
  double least = INFINITY, most = 0;
  for (const ValidatedLaunch &launch : validation.launches)
    for (size_t model = 0; model < validation.models.size(); ++model)
      if (auto pair = launch.pairOf(model); pair && pair->predicted > 0) {
        least = std::min({least, pair->predicted, pair->measured});
        most = std::max({most, pair->predicted, pair->measured});
      }
  if (most == 0)
    return {};
  Axes axes{static_cast<int>(std::floor(std::log10(least))),
            static_cast<int>(std::ceil(std::log10(most)))};
  axes.high = std::max(axes.high, axes.low + 1);
  return axes;
}

static void writeLine(raw_ostream &os, double x1, double y1, double x2,
                      double y2, StringRef style) {
  os << formatv("<line x1=\"{0:F1}\" y1=\"{1:F1}\" x2=\"{2:F1}\" "
                "y2=\"{3:F1}\" {4}/>\n",
                x1, y1, x2, y2, style);
}

static void writeLabel(raw_ostream &os, double x, double y, StringRef anchor,
                       StringRef text, StringRef more = "") {
  os << formatv("<text x=\"{0:F1}\" y=\"{1:F1}\" text-anchor=\"{2}\"{3}>{4}"
                "</text>\n",
                x, y, anchor, more, xmlText(text));
}

static void writeAxes(raw_ostream &os, const Axes &axes) {
  for (int decade = axes.low; decade <= axes.high; ++decade) {
    double time = std::pow(10, decade), x = axes.x(time), y = axes.y(time);
    StringRef style = "stroke=\"#dddddd\"";
    writeLine(os, x, Top, x, Top + Side, style);
    writeLine(os, Left, y, Left + Side, y, style);
    writeLabel(os, x, Top + Side + 20, "middle", formatTimeInUs(time));
    writeLabel(os, Left - 8, y + 4, "end", formatTimeInUs(time));
  }
  os << formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\" "
                "fill=\"none\" stroke=\"#333333\"/>\n",
                Left, Top, Side);
  writeLabel(os, Left + Side / 2, Top + Side + 48, "middle", "measured");
  writeLabel(
      os, 22, Top + Side / 2, "middle", "predicted",
      formatv(" transform=\"rotate(-90 22 {0})\"", Top + Side / 2).str());
}

/// Where predictions are \p factor times the measured time, within the frame.
static void writeDiagonal(raw_ostream &os, const Axes &axes, double factor,
                          StringRef style) {
  double low = std::pow(10, axes.low), high = std::pow(10, axes.high);
  double from = std::max(low, low / factor), to = std::min(high, high / factor);
  writeLine(os, axes.x(from), axes.y(from * factor), axes.x(to),
            axes.y(to * factor), style);
}

static void writePoints(raw_ostream &os, const Validation &validation,
                        size_t model, const Axes &axes) {
  os << formatv("<g fill=\"{0}\" fill-opacity=\"0.55\">\n",
                Colours[model % std::size(Colours)]);
  for (const ValidatedLaunch &launch : validation.launches)
    if (auto pair = launch.pairOf(model); pair && pair->predicted > 0)
      os << formatv("<circle cx=\"{0:F1}\" cy=\"{1:F1}\" r=\"2.5\"/>\n",
                    axes.x(pair->measured), axes.y(pair->predicted));
  os << "</g>\n";
}

static void writeLegend(raw_ostream &os, const Validation &validation,
                        size_t model) {
  std::vector<PredictedPair> pairs;
  for (const ValidatedLaunch &launch : validation.launches)
    if (auto pair = launch.pairOf(model))
      pairs.push_back(*pair);
  double x = Left + Side + 18, y = Top + 14 + 48.0 * model;
  os << formatv("<circle cx=\"{0:F1}\" cy=\"{1:F1}\" r=\"5\" fill=\"{2}\"/>\n",
                x, y - 4, Colours[model % std::size(Colours)]);
  writeLabel(os, x + 12, y, "start", validation.models[model]);
  std::string error = pairs.empty() ? std::string()
                                    : formatv(", mean error {0:F1} %",
                                              100 * errorStatistics(pairs).mean)
                                          .str();
  writeLabel(os, x + 12, y + 18, "start",
             std::to_string(pairs.size()) + " predicted" + error,
             " font-size=\"11\"");
}

void auspex::writeValidationSVG(const Validation &validation, raw_ostream &os) {
  Axes axes = axesFor(validation);
  os << formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                "height=\"{1}\" font-family=\"sans-serif\" "
                "font-size=\"13\">\n",
                Left + Side + Right, Top + Side + Bottom)
     << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  writeLabel(os, Left, 30, "start",
             "Predicted against measured time; dashed: a factor of 2");
  writeAxes(os, axes);
  writeDiagonal(os, axes, 1, "stroke=\"#333333\"");
  for (double factor : {0.5, 2.0})
    writeDiagonal(os, axes, factor,
                  "stroke=\"#888888\" stroke-dasharray=\"5 4\"");
  // The first model lies on top.
  for (size_t model = validation.models.size(); model-- > 0;)
    writePoints(os, validation, model, axes);
  for (size_t model = 0; model < validation.models.size(); ++model)
    writeLegend(os, validation, model);
  os << "</svg>\n";
}
