extension Licence {
  /// Of what only lies beside us, the text is where the system keeps it.
  static func system(_ name: String) -> Licence {
    Licence(
      name: name,
      text:
        "Not part of this program. Notice and text come with the library; on Debian, below /usr/share/doc.")
  }

  static let apache = Licence(
    name: "Apache-2.0",
    text: """
      Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
      with the License. You may obtain a copy of the License at

          https://www.apache.org/licenses/LICENSE-2.0

      Unless required by applicable law or agreed to in writing, software distributed under the License is distributed
      on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for
      the specific language governing permissions and limitations under the License.

      On Debian systems the complete text is in /usr/share/common-licenses/Apache-2.0.
      """)

  static let apacheWithException = Licence(
    name: "Apache-2.0 WITH Swift-exception",
    text: """
      \(apache.text)

      Runtime Library Exception: as an exception, if you use this Software to compile your source code and portions of
      this Software are embedded into the binary product as a result, you may redistribute such product without
      providing attribution as would otherwise be required by Sections 4(a), 4(b) and 4(d) of the License.
      """)

  static let mit = Licence(
    name: "MIT",
    text: """
      Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
      documentation files (the "Software"), to deal in the Software without restriction, including without limitation
      the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
      to permit persons to whom the Software is furnished to do so, subject to the following conditions:

      The above copyright notice and this permission notice shall be included in all copies or substantial portions of
      the Software.

      THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
      THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
      AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
      CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
      IN THE SOFTWARE.
      """)

  static let unicode = Licence(
    name: "Unicode-3.0",
    text: """
      NOTICE TO USER: Carefully read the following legal agreement. BY DOWNLOADING, INSTALLING, COPYING OR OTHERWISE
      USING DATA FILES, AND/OR SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE TERMS AND
      CONDITIONS OF THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA
      FILES OR SOFTWARE.

      Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated
      documentation (the "Data Files") or software and any associated documentation (the "Software") to deal in the
      Data Files or Software without restriction, including without limitation the rights to use, copy, modify, merge,
      publish, distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom the Data
      Files or Software are furnished to do so, provided that either (a) this copyright and permission notice appear
      with all copies of the Data Files or Software, or (b) this copyright and permission notice appear in associated
      Documentation.

      THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
      NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD
      PARTY RIGHTS.

      IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL
      INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER
      IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
      PERFORMANCE OF THE DATA FILES OR SOFTWARE.

      Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise
      to promote the sale, use or other dealings in these Data Files or Software without prior written authorization of
      the copyright holder.
      """)
}
